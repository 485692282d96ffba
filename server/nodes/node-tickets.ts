/**
 * A ticket for a stock client is redeemed at the node that issued it, which alone knows whether it was used (A3). The node where the
 * client connects asks that one, and no other.
 */
import type { Principal } from '../access/principal.ts'
import type { RequestHandler } from '../gateways/gateway.ts'
import type { StockTickets } from '../gateways/stock-tickets.ts'
import { readWholeBody } from '../gateways/whole-body.ts'
import { answerError, answerText, pathOf } from '../http-answers.ts'
import type { Forwarding } from './create-forwarding.ts'
import type { ForwardedRequestLine, ForwardProof } from './forward-proof.ts'
import { forwardedOriginOf } from './forwarded-origin.ts'

const NODE_TICKET_PATH = '/sync/node-ticket'
const MAX_QUESTION_BYTES = 4 * 1024

interface TicketQuestion {
  readonly ticket: string
  readonly document: string
}

/** The answer names the principal in a proof of its own: what listens at a node's address might not be that node. */
const answerLine = ({ ticket, document }: TicketQuestion): ForwardedRequestLine => ({
  method: 'ANSWER',
  url: ticket,
  host: document,
})

/** Returns a function that redeems a ticket of another node, and returns null for one that is not good. */
export const createTicketRedeemer =
  ({ requests, proof }: Pick<Forwarding, 'requests' | 'proof'>) =>
  async (ticket: string, document: string): Promise<Principal | null> => {
    const question: TicketQuestion = { ticket, document }
    const answer = await requests.ask(ticket, NODE_TICKET_PATH, JSON.stringify(question))
    return answer === null ? null : (proof.read(answer, answerLine(question))?.principal ?? null)
  }

/** Answers other nodes, and nobody else. */
export function createNodeTicketHandler(
  tickets: Pick<StockTickets, 'redeem'>,
  proof: ForwardProof,
): RequestHandler {
  const answer = (body: Uint8Array, from: string): string => {
    const question = JSON.parse(Buffer.from(body).toString()) as TicketQuestion
    const principal = tickets.redeem(question.ticket, question.document)
    return proof.write(from, answerLine(question), { secure: true, peer: '', principal })
  }
  return {
    handleRequest(request, response) {
      const asking = forwardedOriginOf(request)
      if (pathOf(request) !== NODE_TICKET_PATH || request.method !== 'POST' || !asking) return false
      readWholeBody(request, MAX_QUESTION_BYTES)
        .then((body) => answerText(response, 'text/plain', answer(body, asking.from)))
        .catch((error: unknown) => answerError(response, 400, 'bad-message', String(error)))
      return true
    },
  }
}
