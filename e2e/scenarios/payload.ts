/** The flow of the benchmark `payload` between two windows: edits of 10 bytes to 64 KiB, both ways at once. Pages stamp the times. */
import { expect } from '../support/fixtures.ts'
import type { Window } from '../support/window.ts'

const SIZES = [10, 100, 1_024, 4_096, 16_384, 65_536]

interface Stamped {
  readonly text: string
  /** ms since 1970: both pages have the browser's clock. */
  readonly at: number
}

interface Said extends Stamped {
  savedAt: number
}

interface Times {
  readonly bytes: number
  readonly savedMs: number
  readonly appliedMs: number
}

/** @returns For each size and way how long it took until it was saved, and applied in the other window. */
export async function exchange([ada, bob]: readonly [Window, Window]): Promise<Times[]> {
  const heard = [await ada.page.evaluateHandle(hear), await bob.page.evaluateHandle(hear)] as const
  const texts = ['ada', 'bob'].map((author) => SIZES.map((size) => textOf(author, size)))
  const said = await Promise.all([ada.page.evaluate(say, texts[0]!), bob.page.evaluate(say, texts[1]!)])
  const times: Times[] = []
  for (const [author, listener] of [heard[1], heard[0]].entries()) {
    await expect.poll(() => listener.evaluate(({ length }) => length)).toBeGreaterThanOrEqual(SIZES.length)
    const arrived = await listener.jsonValue()
    expect(arrived.map(({ text }) => text)).toEqual(texts[author])
    for (const [index, { at, savedAt, text }] of said[author]!.entries())
      times.push({ bytes: text.length, savedMs: savedAt - at, appliedMs: arrived[index]!.at - at })
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
function hear(): Stamped[] {
  const heard: Stamped[] = []
  window.diptych!.doc.getArray<string>('payload').observe(({ changes }, { local }) => {
    if (local) return
    const at = performance.timeOrigin + performance.now()
    for (const { insert = [], delete: deleted } of changes.delta) {
      if (deleted) heard.push({ text: `${deleted} were deleted`, at })
      for (const text of insert) heard.push({ text: String(text), at })
    }
  })
  return heard
}

/** Each when the one before is saved. */
async function say(texts: readonly string[]): Promise<Said[]> {
  const { doc, whenSaved } = window.diptych!
  const now = (): number => performance.timeOrigin + performance.now()
  const said: Said[] = []
  for (const text of texts) {
    const edit = { text, at: now(), savedAt: 0 }
    doc.getArray('payload').push([text])
    await whenSaved()
    said.push(Object.assign(edit, { savedAt: now() }))
  }
  return said
}
