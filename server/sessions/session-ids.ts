/**
 * The ids of sessions, and their secrets:
 *
 *   id     = node . window (16 characters) and a random end (6 characters)
 *   secret = HMAC-SHA-256 of the id and the principal, of which 16 bytes are sent
 *
 * A window that comes back with the id and the secret of a session that is gone proves that the session was its own, to any node that
 * knows the nodes' secret and without a question to another: its next session has the same window in its id. A session of an older
 * release proves nothing, and whoever had it is a new window. A window that has had no welcome yet sends a secret that it made itself, and
 * no id: where a welcome is lost, both sessions have the window that the secret stands for.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isRandomId } from '../../lib/protocol/ids.ts'
import type { ResumeRequest } from '../../lib/protocol/session-messages.ts'
import { deriveKey } from '../access/installation-secret.ts'
import type { Principal } from '../access/principal.ts'

/** 96 bits for a window, and 32 that tell its sessions on one node apart. */
const WINDOW_BYTES = 12
const END_BYTES = 4
const SECRET_BYTES = 16
/** The length of WINDOW_BYTES in base64url. */
const WINDOW_LENGTH = 16

/** Names the window that a session belongs to. What is no id of ours, as the one session of all stock clients, stands for itself. */
export const windowOf = (session: string): string => {
  const dot = session.indexOf('.')
  return dot < 0 ? session : session.slice(dot + 1, dot + 1 + WINDOW_LENGTH)
}

type SessionIdentity = Pick<ResumeRequest, 'id' | 'secret'>

export class SessionIds {
  readonly #node: string
  readonly #key: string

  /** @param secret What the nodes share, and nobody else knows. */
  constructor(node: string, secret: Buffer) {
    this.#node = node
    this.#key = deriveKey(secret, 'sessions 1')
  }

  /** @param former What the window says about its former session. */
  create(principal: Principal, former: SessionIdentity | null): SessionIdentity {
    const window = this.#provenWindow(principal, former) ?? randomBytes(WINDOW_BYTES).toString('base64url')
    const id = `${this.#node}.${window}${randomBytes(END_BYTES).toString('base64url')}`
    return { id, secret: this.#secretOf(id, principal) }
  }

  #provenWindow(principal: Principal, former: SessionIdentity | null): string | null {
    if (!former) return null
    const { id, secret } = former
    if (id === '')
      return isRandomId(secret) ? this.#digest(WINDOW_BYTES, 'window', secret, principal.id) : null
    return isSame(secret, this.#secretOf(id, principal)) ? windowOf(id) : null
  }

  #secretOf(id: string, principal: Principal): string {
    return this.#digest(SECRET_BYTES, id, principal.id)
  }

  #digest(bytes: number, ...parts: string[]): string {
    const digest = createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest()
    return digest.subarray(0, bytes).toString('base64url')
  }
}

export function isSame(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)]
  return a.length === b.length && timingSafeEqual(a, b)
}
