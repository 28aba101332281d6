// The server of a prober, as agnhost answers with the arguments that weft gives it: `node prober-server.mjs NAME TCP-PORT UDP-PORT`.
// Every request over TCP is answered with the name of the pod. Source: kubernetes/kubernetes@v1.35.4 test/images/agnhost/netexec.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';

const [name, tcpPort, udpPort] = process.argv.slice(2);

const LONGEST_QUESTION = 2048;

// Headers of a program in Go may have a megabyte.
const http = createServer({ maxHeaderSize: 1024 * 1024 }, (_, response) => response.end(name));
const udp = createSocket('udp4');
udp.on('message', (message, from) => {
  const question = message.subarray(0, LONGEST_QUESTION).toString().trim().toLowerCase();
  const answer = question.startsWith('echo ')
    ? question.slice('echo '.length)
    : { hostname: name, clientip: `${from.address}:${from.port}` }[question];
  if (answer !== undefined) udp.send(answer, from.port, from.address);
});

http.listen(Number(tcpPort), () => udp.bind(Number(udpPort), () => process.stdout.write('ready\n')));
