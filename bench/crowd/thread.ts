/** One thread of a crowd: does what it is told, and answers each order once. */
import { parentPort } from 'node:worker_threads'
import { type DialectName, dialects } from './dialects.ts'
import { Part, type Run, type Seat } from './part.ts'

export type Order =
  | {
      readonly type: 'open'
      readonly dialect: DialectName
      readonly origin: string
      readonly seats: readonly Seat[]
    }
  | { readonly type: 'run'; readonly run: Run }
  | { readonly type: 'close' }

let part: Part | null = null

async function obey(order: Order): Promise<unknown> {
  switch (order.type) {
    case 'open':
      part = new Part(dialects[order.dialect], order.origin, order.seats)
      return part.open()
    case 'run':
      return part!.run(order.run)
    case 'close':
      return part?.close()
  }
}

parentPort!.on('message', (order: Order) => {
  obey(order).then(
    (answer) => parentPort!.postMessage({ answer }),
    (error: unknown) => parentPort!.postMessage({ error: String(error) }),
  )
})
