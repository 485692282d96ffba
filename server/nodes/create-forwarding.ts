/** Composes what a node needs to forward requests and links to others, and to take theirs (S10). */
import type { Logger } from 'pino'
import { createClientAddressOf } from '../access/client-address.ts'
import type { Config } from '../config.ts'
import { createForwardReader, type ForwardReader } from './forward-reader.ts'
import { ForwardProof } from './forward-proof.ts'
import { LinkForwarder } from './link-forwarder.ts'
import type { Nodes } from './nodes.ts'
import { RequestForwarder } from './request-forwarder.ts'

export interface ForwardingOptions extends Pick<Config, 'trustedProxies' | 'limitOpenConnections'> {
  readonly nodes: Nodes
  /** What all nodes share, and nobody else knows. */
  readonly secret: Buffer
  readonly log: Logger
}

export interface Forwarding {
  readonly requests: RequestForwarder
  readonly links: LinkForwarder
  readonly proof: ForwardProof
  readonly readForwarded: ForwardReader
  close(): void
}

export function createForwarding({
  nodes,
  secret,
  log,
  trustedProxies,
  limitOpenConnections,
}: ForwardingOptions): Forwarding {
  const proof = new ForwardProof(secret, nodes.self)
  const addressOf = createClientAddressOf(trustedProxies)
  const requests = new RequestForwarder({ nodes, proof, log, addressOf, maxOfAddress: limitOpenConnections })
  const links = new LinkForwarder({ nodes, proof, log })
  return {
    requests,
    links,
    proof,
    readForwarded: createForwardReader(proof),
    close() {
      requests.close()
      links.close()
    },
  }
}
