import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { browserLocalStore } from '@/lib/sync/local/browser-store.ts'
import { rememberPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { allDocuments } from './search-choices.ts'
import { findPage, type FoundPage, resultsOf } from './find-page.ts'
import type { DeviceTexts } from './search-device.ts'

/** The store is one for all tests, so each is of a person of its own. */
let person = ''
let at = 0

beforeEach(() => {
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  })
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  person = `user:search-${++at}`
  rememberPrincipal(person)
})
afterEach(() => vi.unstubAllGlobals())

const putCopy = (document: string, state: Uint8Array) =>
  browserLocalStore()!.compact(
    { document, part: 'body', title: document, role: 'owner', schema: 1, at: ++at, principal: person },
    state,
    { window: 'w.1', upTo: 0 },
  )

function stateOf(text: string): Uint8Array {
  const doc = new Y.Doc()
  const paragraph = new Y.XmlElement('paragraph')
  doc.getXmlFragment('default').push([paragraph])
  paragraph.push([new Y.XmlText(text)])
  return Y.encodeStateAsUpdate(doc)
}

const find = (query: string, texts: DeviceTexts = new Map(), signal = new AbortController().signal) =>
  findPage(query, allDocuments, null, texts, signal)
const idsOf = ({ results }: FoundPage) => results.map(({ document }) => document)

test('a copy that cannot be read hides no other one, and is told', async () => {
  await putCopy('one', stateOf('a numbat'))
  await putCopy('broken', new Uint8Array([255, 255, 255]))
  await putCopy('two', stateOf('two numbats'))
  const page = await find('numbat')
  expect(idsOf(page)).toEqual(['two', 'one'])
  expect(page).toMatchObject({ isAnswer: true, canRetry: true })
  expect(page.problem).toMatch(/These are the documents on this device\. 1 document could not be read\.$/)
})

test('a query that is refused without the server says so, and not that nothing was found', async () => {
  expect(await find('*')).toMatchObject({
    problem: 'Type a word to search for.',
    isAnswer: false,
    canRetry: false,
  })
})

test('the next query reads no copy again, but one that has changed', async () => {
  await putCopy('one', stateOf('a numbat'))
  await putCopy('two', stateOf('two quokkas'))
  const texts: DeviceTexts = new Map()
  expect(idsOf(await find('numbat', texts))).toEqual(['one'])
  const reads = vi.spyOn(browserLocalStore()!, 'readPart')
  expect(idsOf(await find('quokkas', texts))).toEqual(['two'])
  expect(reads).not.toHaveBeenCalled()
  await putCopy('one', stateOf('a quokka'))
  expect(idsOf(await find('quokka', texts))).toEqual(['one', 'two'])
  expect(reads.mock.calls.map(([{ document }]) => document)).toEqual(['one', 'one'])
  reads.mockRestore()
})

test('a search that nobody waits for any more reads no further copy', async () => {
  await putCopy('one', stateOf('a numbat'))
  await putCopy('two', stateOf('a numbat'))
  const stop = new AbortController()
  const reads = vi.spyOn(browserLocalStore()!, 'readPart')
  reads.mockImplementationOnce(async () => {
    stop.abort()
    return { copy: undefined, rows: [] }
  })
  await expect(find('numbat', new Map(), stop.signal)).rejects.toThrow()
  expect(reads).toHaveBeenCalledTimes(1)
  reads.mockRestore()
})

test('a server that is busy is asked again by the person, a refused query is not', async () => {
  const answer = (status: number) =>
    vi.stubGlobal('fetch', async () => Response.json({ error: { message: 'No.' } }, { status }))
  answer(503)
  expect(await find('numbat')).toMatchObject({ problem: 'No.', isAnswer: false, canRetry: true })
  answer(400)
  expect(await find('*')).toMatchObject({ problem: 'No.', isAnswer: false, canRetry: false })
})

test('a document that two pages hold is shown once', () => {
  const pageOf = (...ids: string[]): FoundPage => ({
    query: 'numbat',
    results: ids.map((document) => ({
      document,
      title: '',
      titleMarks: [],
      snippet: { text: '', marks: [] },
      owner: null,
      updatedAt: '',
    })),
    next: null,
    problem: null,
    isAnswer: true,
    canRetry: false,
  })
  expect(resultsOf([pageOf('one', 'two'), pageOf('two', 'three')]).map(({ document }) => document)).toEqual([
    'one',
    'two',
    'three',
  ])
})

test('a search of some documents alone says on a device that all of it was searched', async () => {
  await putCopy('one', stateOf('a numbat'))
  const choices = { ...allDocuments, place: 'shared' } as const
  const page = await findPage('numbat', choices, null, new Map(), new AbortController().signal)
  expect(idsOf(page)).toEqual(['one'])
  expect(page.problem).toMatch(/Where and when to search can be chosen with the server alone\.$/)
})
