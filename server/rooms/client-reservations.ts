/**
 * The client ids of a document part that windows of several nodes have announced (A5). Each node tells the others what its own windows
 * announce, before these show themselves, so that nobody takes a client id at a node where its window is not. What is told is a hint
 * that may be lost, and then whoever is stored first owns an id. Knows ids and nodes; does not know what an owner may do.
 */
import type { ClientReservation, ReservationsMessage } from './room-messages.ts'

/** So many fit into one message of every medium. */
const MAX_IN_MESSAGE = 64
/** So many ids of a node are remembered after they were released: the message that reserved one may come later. */
const MAX_RELEASED = 1_000

let latestVersion = 0

/** Returns a number above every earlier one of this node, also those of a former room of the document. */
const nextVersion = (): number => (latestVersion = Math.max(latestVersion + 1, Date.now()))

type ReservationOwner = Pick<ClientReservation, 'principal' | 'window'>

interface OwnReservation {
  readonly reservation: ClientReservation
  /** How many windows use the id now. */
  windows: number
}

/** What another node has said. A message may overtake another, so each has a version, and older ones change nothing. */
interface NodeReservations {
  /** The version of its last whole list. */
  since: number
  readonly reserved: Map<number, { readonly version: number; readonly reservation: ClientReservation }>
  /** The versions of the messages that released ids, in the order in which they came. */
  readonly released: Map<number, number>
}

export class ClientReservations {
  readonly #publish: (message: ReservationsMessage) => void
  readonly #own = new Map<number, OwnReservation>()
  readonly #nodes = new Map<string, NodeReservations>()

  constructor(publish: (message: ReservationsMessage) => void) {
    this.#publish = publish
  }

  // Of this node

  /** A window announced the id. */
  reserve(reservation: ClientReservation): void {
    const own = this.#own.get(reservation.client)
    if (own && own.reservation.window === reservation.window) own.windows += 1
    else {
      this.#own.set(reservation.client, { reservation, windows: 1 })
      this.#send({ reserved: [reservation] })
    }
  }

  /** A window that announced the id left. */
  release(client: number): void {
    const own = this.#own.get(client)
    if (!own || --own.windows > 0) return
    this.#own.delete(client)
    this.#send({ released: [client] })
  }

  /** Tells another node everything. */
  answer(): void {
    const reserved = Array.from(this.#own.values(), ({ reservation }) => reservation)
    const version = nextVersion()
    do this.#send({ version, isWhole: true, reserved: reserved.splice(0, MAX_IN_MESSAGE) })
    while (reserved.length > 0)
  }

  /** The room is closed: it reserves nothing any more. */
  close(): void {
    if (this.#own.size === 0) return
    this.#own.clear()
    this.answer()
  }

  #send(fields: Partial<ReservationsMessage>): void {
    const nothing = { isWhole: false, reserved: [], released: [] }
    this.#publish({ type: 'reservations', version: nextVersion(), ...nothing, ...fields })
  }

  // Of other nodes

  /** Returns what another node has reserved: what this writer has, if there are several. */
  find(client: number, { principal, window }: ReservationOwner): ClientReservation | undefined {
    let found: ClientReservation | undefined
    for (const { reserved } of this.#nodes.values()) {
      const reservation = reserved.get(client)?.reservation
      if (!reservation) continue
      if (reservation.principal === principal && reservation.window === window) return reservation
      found ??= reservation
    }
    return found
  }

  receive(node: string, { version, isWhole, reserved, released }: ReservationsMessage): void {
    const known: NodeReservations = this.#nodes.get(node) ?? {
      since: 0,
      reserved: new Map(),
      released: new Map(),
    }
    this.#nodes.set(node, known)
    if (isWhole && version > known.since) {
      known.since = version
      for (const [client, former] of known.reserved)
        if (former.version < version) known.reserved.delete(client)
    }
    for (const reservation of reserved)
      if (isNews(known, reservation.client, version))
        known.reserved.set(reservation.client, { version, reservation })
    for (const client of released) {
      if (!isNews(known, client, version)) continue
      known.reserved.delete(client)
      known.released.delete(client)
      known.released.set(client, version)
      if (known.released.size > MAX_RELEASED) known.released.delete(known.released.keys().next().value!)
    }
  }

  /** The node is gone, and its windows with it. */
  removeNode(node: string): void {
    this.#nodes.delete(node)
  }
}

const isNews = ({ since, reserved, released }: NodeReservations, client: number, version: number): boolean =>
  version >= since &&
  version >= (reserved.get(client)?.version ?? 0) &&
  version >= (released.get(client) ?? 0)
