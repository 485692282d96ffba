/** Writes into a document while windows of it are measured, each writer in a paragraph of its own. Knows no server. */
import * as Y from 'yjs'
import { sleepUntil } from '../../e2e/fixtures/sleep-until.ts'

export interface OtherWriter {
  readonly doc: Y.Doc
  readonly awareness: { setLocalStateField(field: string, value: unknown): void }
}

/** The settings of the process that the writers run in. */
export interface OtherWritersOrder {
  /** The server's origin, over plain HTTP. */
  readonly origin: string
  readonly document: string
  /** '' if the server needs none. */
  readonly token: string
  readonly count: number
  /** The ms between two letters of one writer. */
  readonly interval: number
}

export const orderAsEnv = (order: OtherWritersOrder): Record<string, string> => ({
  WRITERS: JSON.stringify(order),
})

export const orderOfProcess = (): OtherWritersOrder =>
  JSON.parse(process.env['WRITERS'] ?? '{}') as OtherWritersOrder

/** Writes until the process ends. It prints an address when it begins, as `startServer` expects of a server. */
export async function writeForever(
  writers: readonly OtherWriter[],
  { origin, interval }: OtherWritersOrder,
): Promise<void> {
  const startedAt = performance.now()
  const writing = writers.map((writer, index) =>
    writeAs(writer, index, startedAt + (index * interval) / writers.length, {
      count: writers.length,
      interval,
    }),
  )
  console.log(`${origin} `)
  await Promise.all(writing)
}

/** Writes into the writer's own paragraph: the last one is the measured window's, and those before it are the writers'. */
async function writeAs(
  { doc, awareness }: OtherWriter,
  index: number,
  first: number,
  { count, interval }: { readonly count: number; readonly interval: number },
): Promise<void> {
  const fragment = doc.getXmlFragment('default')
  const paragraph = fragment.get(fragment.length - 1 - count + index) as Y.XmlElement
  const text = new Y.XmlText()
  paragraph.push([text])
  awareness.setLocalStateField('user', {
    id: `writer-${index}`,
    name: `Writer ${index + 1}`,
    color: '#1d6fc4',
  })
  for (let due = first, letter = 0; ; due += interval, letter++) {
    await sleepUntil(due)
    text.insert(text.length, letter % 6 === 5 ? ' ' : 'x')
    // A position behind the last letter is sent once, as an editor does, because typing does not move it.
    if (letter === 0) awareness.setLocalStateField('cursor', caretAtEnd(text))
  }
}

function caretAtEnd(text: Y.XmlText): { readonly anchor: unknown; readonly head: unknown } {
  const end = Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, text.length)) as unknown
  return { anchor: end, head: end }
}
