import { ForgeError } from '../forge/forge-error.ts';
import { type AskForge, askForge } from './ask-forge.ts';
import { type RefusedRequest, refusedRequest } from './explain-by.ts';
import { UnexpectedAnswer } from './read-answer.ts';
import { RequestFailure, type RestClient, type RestConnection, restClient } from './rest-client.ts';

/** A forge that is reached over an API that speaks JSON. */
export interface RestForge extends AskForge {
  readonly send: RestClient;
}

/** `explain` turns a response of the forge into an error that says what to do. */
export function askRest(connection: RestConnection, explain: (it: RefusedRequest) => ForgeError): RestForge {
  const { clock, notify, forge, apiUrl } = connection;
  const forgeErrorOf = (error: unknown, operation: string): ForgeError => {
    if (error instanceof ForgeError) return error;
    if (error instanceof UnexpectedAnswer) return notThatForge(error, operation);
    if (!(error instanceof RequestFailure)) throw error;
    return explain(refusedRequest(error, operation, clock));
  };
  const notThatForge = ({ message: reason }: UnexpectedAnswer, operation: string): ForgeError =>
    new ForgeError('refused', {
      operation,
      reason,
      status: 0,
      hint: `check that ${apiUrl} is the address of the API of ${forge}, and that no proxy answers in its place`,
    });
  return { send: restClient(connection), ...askForge({ forge, clock, notify, forgeErrorOf }) };
}
