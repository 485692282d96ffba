/** The flow of the benchmark `payload` between two windows: edits of 10 bytes to 64 KiB, both ways at once. Pages stamp the times. */
import { expect } from '../support/fixtures.ts'
import type { DocumentWindow } from '../support/document-window.ts'

const SIZES = [10, 100, 1_024, 4_096, 16_384, 65_536]

interface StampedText {
  readonly text: string
  /** ms since 1970: both pages have the browser's clock. */
  readonly stampedAt: number
}

interface SavedText extends StampedText {
  savedAt: number
}

interface PayloadTimes {
  readonly bytes: number
  readonly savedMs: number
  readonly appliedMs: number
}

/** @returns For each size and way how long it took until it was saved, and applied in the other window. */
export async function exchangePayloads([ada, bob]: readonly [DocumentWindow, DocumentWindow]): Promise<
  PayloadTimes[]
> {
  const receivedTexts = [
    await ada.page.evaluateHandle(recordTexts),
    await bob.page.evaluateHandle(recordTexts),
  ] as const
  const texts = ['ada', 'bob'].map((author) => SIZES.map((size) => textOf(author, size)))
  const sentTexts = await Promise.all([
    ada.page.evaluate(sendTexts, texts[0]!),
    bob.page.evaluate(sendTexts, texts[1]!),
  ])
  const times: PayloadTimes[] = []
  for (const [authorIndex, reader] of [receivedTexts[1], receivedTexts[0]].entries()) {
    await expect.poll(() => reader.evaluate(({ length }) => length)).toBeGreaterThanOrEqual(SIZES.length)
    const arrived = await reader.jsonValue()
    expect(arrived.map(({ text }) => text)).toEqual(texts[authorIndex])
    for (const [index, { stampedAt, savedAt, text }] of sentTexts[authorIndex]!.entries())
      times.push({
        bytes: text.length,
        savedMs: savedAt - stampedAt,
        appliedMs: arrived[index]!.stampedAt - stampedAt,
      })
  }
  return times
}

/** No two alike, and no part of one like another part of it. */
function textOf(author: string, size: number): string {
  let text = author
  for (let word = 0; text.length < size; word++) text += ` ${word.toString(36)}`
  return text.slice(0, size)
}

// In the pages; each stands alone.

/** Everything that others put into the list, once for each time it is put there. */
function recordTexts(): StampedText[] {
  const received: StampedText[] = []
  window.diptych!.doc.getArray<string>('payload').observe(({ changes }, { local }) => {
    if (local) return
    const stampedAt = performance.timeOrigin + performance.now()
    for (const { insert = [], delete: deleted } of changes.delta) {
      if (deleted) received.push({ text: `${deleted} were deleted`, stampedAt })
      for (const text of insert) received.push({ text: String(text), stampedAt })
    }
  })
  return received
}

/** Each when the one before is saved. */
async function sendTexts(texts: readonly string[]): Promise<SavedText[]> {
  const { doc, whenSaved } = window.diptych!
  const now = (): number => performance.timeOrigin + performance.now()
  const sent: SavedText[] = []
  for (const text of texts) {
    const edit = { text, stampedAt: now(), savedAt: 0 }
    doc.getArray('payload').push([text])
    await whenSaved()
    sent.push(Object.assign(edit, { savedAt: now() }))
  }
  return sent
}
