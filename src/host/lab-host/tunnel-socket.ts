import { access } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ToolFailure } from './run-tool.ts';

/** The folder of wireguard-go's control sockets for all devices, regardless of their namespace. */
export const SOCKETS = '/var/run/wireguard';

const RESPONSE_TIMEOUT_MILLISECONDS = 5000;

const socketOf = (device: string): string => join(SOCKETS, `${device}.sock`);

export const socketExists = (device: string): Promise<boolean> =>
  access(socketOf(device)).then(
    () => true,
    () => false,
  );

/** Sends one request to the tunnel that was created under this device name; returns the answer. */
export function requestTunnel(device: string, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketOf(device));
    let answer = '';
    const fail = (problem: string) => {
      socket.destroy();
      reject(new ToolFailure(`wireguard-go ${device}`, problem));
    };
    socket.setEncoding('utf8');
    socket.setTimeout(RESPONSE_TIMEOUT_MILLISECONDS, () => fail('no answer'));
    socket.on('error', (error) => fail(error.message));
    socket.on('connect', () => socket.write(request));
    socket.on('data', (part: string) => {
      answer += part;
      if (!answer.endsWith('\n\n')) return;
      if (!answer.includes('errno=0\n')) return fail(answer.trim());
      socket.end();
      resolve(answer);
    });
    socket.on('end', () => fail('it closed the connection'));
  });
}
