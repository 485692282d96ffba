/** The flow of the benchmark `rooms`: two documents at once, a window and a program in each, and nobody hears the other room. */
import { openDocument } from '../../lib/client.ts'
import type { OpenableDocument } from '../support/document-api.ts'
import { expect } from '../support/fixtures.ts'
import type { NetworkTransportId } from '../../lib/transports/descriptors.ts'
import type { DocumentWindow } from '../support/document-window.ts'

const EDITS = 6

export interface RoomUnderTest {
  readonly document: OpenableDocument
  readonly window: DocumentWindow
}

/** @param origin Where the programs find the documents. */
export async function expectRoomsSeparate(
  rooms: readonly RoomUnderTest[],
  origin: string,
  transport: NetworkTransportId,
): Promise<void> {
  const programs = rooms.map(({ document: { id, tokens } }) =>
    openDocument({ url: origin, document: id, token: tokens.editor, transport, insecure: true }),
  )
  await Promise.all(programs.map(({ whenSynced }) => whenSynced))
  const readers = rooms.flatMap(({ window: { page } }, index) => [
    { room: index, read: () => page.evaluate(() => window.diptych!.doc.getArray<string>('said').toArray()) },
    {
      room: index,
      read: () => Promise.resolve(programs[index]!.doc.getArray<string>('said').toArray()),
    },
  ])
  await Promise.all([
    ...rooms.map(({ window }, index) => window.page.evaluate(sendEdits, editsOf(`window ${index}`))),
    ...programs.map(async ({ doc, whenSaved }, index) => {
      for (const edit of editsOf(`program ${index}`)) doc.getArray('said').push([edit])
      await whenSaved()
    }),
  ])
  for (const { read } of readers) await expect.poll(async () => (await read()).length).toBe(2 * EDITS)
  // All rooms are whole: whatever would get from one into another had its chance.
  for (const { room, read } of readers)
    expect((await read()).toSorted(byAuthor)).toEqual([
      ...editsOf(`program ${room}`),
      ...editsOf(`window ${room}`),
    ])
  await Promise.all(programs.map((program) => program.close()))
}

const editsOf = (author: string): string[] => Array.from({ length: EDITS }, (_, edit) => `${author}: ${edit}`)

/** Leaves those of one author in the order in which they arrived. */
const byAuthor = (a: string, b: string): number => authorOf(a).localeCompare(authorOf(b))
const authorOf = (edit: string): string => edit.slice(0, edit.indexOf(':'))

/** In the page; it stands alone. */
async function sendEdits(edits: readonly string[]): Promise<void> {
  const { doc, whenSaved } = window.diptych!
  for (const edit of edits) {
    doc.getArray('said').push([edit])
    await new Promise((resolve) => setTimeout(resolve))
  }
  await whenSaved()
}
