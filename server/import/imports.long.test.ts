/** [A6] Files that were damaged at random end with a document or a sentence, in bounded memory, and nobody waits for them. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { docxOf, pngOf, wordLine, wordStyles, zipOf } from '../../lib/import/fixtures/import-files.ts'
import { MAX_MARKUP_LETTERS } from '../../lib/import/import-limits.ts'
import { ImportRefused } from '../../lib/import/imported-document.ts'
import { startServerProgram, waitUntilReady } from '../fixtures/server-program.ts'
import { createSharedDocument } from '../fixtures/shared-document.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { Imports } from './imports.ts'

const MIB = 1024 * 1024
const MUTATIONS = 500

/** Of a linear congruential generator, so that each run has the same. */
function* numbersOf(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state
  }
}

function mutate(bytes: Uint8Array, seed: number): Uint8Array<ArrayBuffer> {
  const numbers = numbersOf(seed)
  const next = (limit: number): number => numbers.next().value % limit
  const mutated = [...bytes]
  for (let count = 1 + next(3); count > 0; count--) {
    const at = next(mutated.length)
    const kind = next(4)
    if (kind === 0) mutated[at] = next(256)
    else if (kind === 1) mutated.splice(at, 1 + next(40))
    else if (kind === 2) mutated.splice(at, 0, ...mutated.slice(next(mutated.length)).slice(0, 40))
    else mutated[at] = mutated[at]! ^ (1 << next(8))
    if (mutated.length === 0) mutated.push(0)
  }
  return Uint8Array.from(mutated)
}

const document = docxOf(
  [wordLine('Plan', 'Title'), wordLine('Why', 'heading1'), wordLine('Numbers to come.', '', '<w:b/>')].join(
    '',
  ),
  { 'word/styles.xml': wordStyles('Title', 'heading 1'), 'word/media/a.png': pngOf() },
)
const archive = zipOf({
  'notes.md': '# Plan\n\n![A dot](files/a.png)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  'files/a.png': pngOf(),
  'page.html': '<h1>Page</h1><table><tr><td colspan=2>x</table>',
  'inner.zip': zipOf({ 'deep.csv': 'a,b\n1,2\n' }),
})

describe('damaged at random', () => {
  test.each([
    ['a DOCX', 'a.docx', document],
    ['a zip', 'a.zip', archive],
  ])('%s ends with documents or one sentence', async (_what, name, bytes) => {
    await using temporary = await temporaryFolder()
    const folder = temporary.path
    const imports = new Imports(folder)
    const path = join(folder, 'file')
    const outcomes = { documents: 0, sentences: 0 }
    const before = process.memoryUsage().rss
    for (let seed = 1; seed <= MUTATIONS; seed++) {
      await writeFile(path, mutate(bytes, seed))
      try {
        const { documents } = await imports.read('ada', path, { name, type: '' }, () => {})
        expect(documents.length).toBeGreaterThan(0)
        outcomes.documents++
      } catch (error) {
        expect(error, `seed ${seed}`).toBeInstanceOf(ImportRefused)
        expect((error as Error).message, `seed ${seed}`).toMatch(/^“[^\n]*\.$/)
        outcomes.sentences++
      }
    }
    expect(outcomes.documents + outcomes.sentences).toBe(MUTATIONS)
    // Some of each, so that the damage is neither too small nor too large to show anything.
    expect(Math.min(outcomes.documents, outcomes.sentences)).toBeGreaterThan(5)
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB)
  })
})

const bombs: readonly (readonly [what: string, name: string, create: () => Uint8Array])[] = [
  ['a bomb', 'a.zip', () => zipOf({ 'a.md': new Uint8Array(200 * MIB) })],
  ['a bomb in a DOCX', 'a.docx', () => docxOf('', { 'word/document.xml': new Uint8Array(200 * MIB) })],
  ['elements within each other', 'a.html', () => Buffer.from('<b>'.repeat(250_000))],
  ['links that never end', 'a.md', () => Buffer.from('[a]('.repeat(200_000))],
  ['rows of a table that never end', 'a.html', () => Buffer.from(`<table>${'<tr><td>x'.repeat(45_000)}`)],
  ['as many rows as are read', 'a.html', () => Buffer.from(`<table>${'<tr><td>x'.repeat(24_990)}`)],
  ['as many paragraphs as are read', 'a.html', () => Buffer.from('<p>x'.repeat(49_990))],
  ['definitions that never end', 'a.md', () => Buffer.from('[a]: b\n\n'.repeat(100_000))],
  ['definitions and their names', 'a.md', () => Buffer.from(definitionsAndNames())],
  ['paragraphs that never end', 'a.md', () => Buffer.from('a\n\n'.repeat(330_000))],
  ['as many paragraphs of Markdown as are read', 'a.md', () => Buffer.from('a\n\n'.repeat(49_990))],
  ['a list that never ends', 'a.md', () => Buffer.from('- a\n'.repeat(250_000))],
  ['a list as long as is read', 'a.md', () => Buffer.from('- a\n'.repeat(7_990))],
  ['quotes that never end', 'a.md', () => Buffer.from('> a\n\n'.repeat(160_000))],
  ['stars that never end', 'a.md', () => Buffer.from('*a '.repeat(330_000))],
  ['values that never end', 'a.csv', () => Buffer.from('a,b,c\n'.repeat(100_000))],
]

/** As many as are read. */
function definitionsAndNames(): string {
  const names = Array.from({ length: 1_990 }, (_, at) => `n${at}`)
  const named = names.map((name) => `[${name}]`.repeat(10)).join('\n\n')
  return `${named}\n\n${names.map((name) => `[${name}]: b`).join('\n')}`
}

/** In bytes, of the process. The most is since `forgetPeak`. */
async function readMemory(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const field = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)![1]) * 1024
  return { now: field('VmRSS'), most: field('VmHWM') }
}

const forgetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

/** The server is a process of its own: what this one takes for the file and the answers is not the import's. */
test.runIf(process.platform === 'linux').for(bombs)(
  '%s: others are answered, and memory is bounded',
  async ([_what, name, create], context) => {
    await using folder = await temporaryFolder()
    await using program = startServerProgram({ DATA_DIR: folder.path, LIMIT_WORK: 'off' })
    const { http: origin } = await waitUntilReady(program)
    const pid = program.process.pid!
    const [eve, ada] = [await createSharedDocument(origin), await createSharedDocument(origin)]
    const importFile = async (file: string, body: Uint8Array): Promise<number> => {
      const headers = { origin, cookie: eve.cookie }
      const url = `${origin}/api/documents/import?name=${file}`
      const response = await fetch(url, { method: 'POST', headers, body: Uint8Array.from(body) })
      await response.arrayBuffer()
      return response.status
    }
    // The code of the importing thread is loaded once, by whatever comes first.
    for (const warm of ['warm.md', 'warm.html'])
      expect(await importFile(warm, Buffer.from('<p>warm</p>'))).toBe(201)
    const body = create()
    await forgetPeak(pid)
    const before = (await readMemory(pid)).now
    let isOver = false
    const importing = importFile(name, body).finally(() => {
      isOver = true
    })
    let answered = 0
    do {
      const { status } = await fetch(`${origin}/api/documents`, { headers: { origin, cookie: ada.cookie } })
      expect(status).toBe(200)
      answered++
    } while (!isOver)
    expect([201, 413, 422]).toContain(await importing)
    expect(answered).toBeGreaterThan(0)
    const taken = (await readMemory(pid)).most - before
    await context.annotate(`${Math.round(taken / MIB)} MiB`, 'memory')
    expect(taken).toBeLessThan(256 * MIB)
  },
)

test.each([
  [
    'Markdown',
    'book.md',
    'The *fox* jumps over [the](https://a.example) dog, and so on it goes for a while. ',
    '\n\n',
  ],
  [
    'HTML',
    'book.html',
    '<p>The <i>fox</i> jumps over the dog, and so on it goes for a good while longer than this.',
    '</p>',
  ],
])('a book as %s is read within the memory of the thread', async (_format, name, line, end) => {
  await using temporary = await temporaryFolder()
  const path = join(temporary.path, 'book')
  const paragraph = line.repeat(5) + end
  await writeFile(path, paragraph.repeat(Math.floor(MAX_MARKUP_LETTERS / paragraph.length)))
  const { documents } = await new Imports(temporary.path).read('ada', path, { name, type: '' }, () => {})
  expect(documents[0]!.text.state.length).toBeGreaterThan(500_000)
})
