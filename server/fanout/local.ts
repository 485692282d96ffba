/** Messages between the nodes of one process: for a service of one, and for several nodes in one test, with faults. */
import type { Fanout } from './fanout.ts'
import type { ConnectionEvents, FanoutConnection, OutgoingMessage } from './fanout-medium.ts'
import { type FanoutOptions, ReconnectingFanout } from './reconnecting-fanout.ts'

/** What a test lets happen to messages. Each is decided for each message and each node that it goes to. */
export interface LocalFaults {
  drop?(topic: string): boolean
  repeat?(topic: string): boolean
  /** Has the message arrive in a later turn than those after it. */
  reorder?(topic: string): boolean
  readonly delayMs?: number
  /** A longer message is not carried, as by PostgreSQL. */
  readonly maxBytes?: number
}

export interface LocalHub {
  /** @param options The name is the node's. */
  join(node: string, options?: Omit<FanoutOptions, 'node'>): Fanout
  setFaults(faults: LocalFaults): void
  /** Ends the connection of a node. It connects again once it is healed. */
  cut(node: string): void
  heal(node: string): void
}

interface LocalNode {
  readonly events: ConnectionEvents
  readonly topics: Set<string>
}

export function createLocalHub(): LocalHub {
  const nodes = new Map<string, LocalNode>()
  const cutNodes = new Map<string, PromiseWithResolvers<void>>()
  let faults: LocalFaults = {}

  function open(node: string, events: ConnectionEvents): FanoutConnection {
    const joined: LocalNode = { events, topics: new Set() }
    const leave = (): void => {
      if (nodes.get(node) === joined) nodes.delete(node)
    }
    nodes.set(node, joined)
    return {
      async subscribe(topics) {
        for (const topic of topics) joined.topics.add(topic)
      },
      async unsubscribe(topics) {
        for (const topic of topics) joined.topics.delete(topic)
      },
      async publish(messages) {
        for (const receiver of nodes.values())
          if (receiver !== joined) for (const message of messages) deliver(receiver, message)
      },
      async end() {
        leave()
      },
      destroy: leave,
    }
  }

  function deliver(receiver: LocalNode, { topic, envelope }: OutgoingMessage): void {
    if (!receiver.topics.has(topic) || faults.drop?.(topic)) return
    const copies = faults.repeat?.(topic) ? 2 : 1
    const arrive = (): void => {
      if (![...nodes.values()].includes(receiver)) return
      for (let n = 0; n < copies; n++) receiver.events.onMessage(topic, envelope)
    }
    const send = faults.reorder?.(topic) ? () => setImmediate(arrive) : arrive
    if (faults.delayMs) setTimeout(send, faults.delayMs)
    else send()
  }

  return {
    join(node, options = {}) {
      const medium = {
        name: 'local',
        canCarry: (_topic: string, message: Uint8Array) => message.length <= (faults.maxBytes ?? Infinity),
        open(events: ConnectionEvents) {
          const isCut = cutNodes.get(node)
          return isCut ? isCut.promise.then(() => open(node, events)) : open(node, events)
        },
      }
      const fanout = new ReconnectingFanout(medium, { node, ...options })
      void fanout.connect()
      return fanout
    },
    setFaults(changed) {
      faults = changed
    },
    cut(node) {
      if (!cutNodes.has(node)) cutNodes.set(node, Promise.withResolvers())
      const joined = nodes.get(node)
      nodes.delete(node)
      joined?.events.onLost(new Error('a test cut it off'))
    },
    heal(node) {
      cutNodes.get(node)?.resolve()
      cutNodes.delete(node)
    },
  }
}
