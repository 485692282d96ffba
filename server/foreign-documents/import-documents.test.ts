import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { createQuadraticUpdate } from '../store/fixtures/quadratic-update.ts'
import { insertDocument } from '../api/document-rows.ts'
import { awaitOutput, startChild } from '../fixtures/child-process.ts'
import { docOfUpdates } from '../fixtures/doc-of-updates.ts'
import { type TemporaryFolder, temporaryFolder } from '../fixtures/temporary-folder.ts'
import type { Store } from '../store/document-store.ts'
import { openSqliteStore } from '../store/sqlite.ts'
import { SERVER_OWNER } from '../store/store.ts'
import { runStoreCommand } from '../store/moving/store-command.ts'

const OWNER = { id: 'user:ada', name: '', credential: '' }
const ownDocument = 'abcdefghijklmnopqrstuA'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await temporaryFolder()
  await withStore(({ db }) => insertDocument(db, ownDocument, OWNER, 'mine'))
})
afterEach(() => folder[Symbol.asyncDispose]())

async function withStore<Answer>(run: (store: Store) => Promise<Answer>): Promise<Answer> {
  const store = await openSqliteStore({ file: join(folder.path, 'diptych.sqlite') })
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

/** Returns the lines that the command prints. */
async function runImport(from: string, path: string, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const output = { terminal: { isTTY: false, write: () => true }, print: (line: string) => lines.push(line) }
  const owner = ['--owner-of', `https://docs.example/d/${ownDocument}?x#y`]
  const config = { dataDir: folder.path, databaseUrl: null, filesDir: null }
  await runStoreCommand(config, ['import', '--from', from, path, ...owner, ...args], output)
  return lines
}

interface ImportedDocument {
  readonly title: string
  readonly owner: string
  readonly text: string
  readonly doc: Y.Doc
  readonly owners: string[]
}

/** Returns what was imported, by title. */
const readImported = (): Promise<ImportedDocument[]> =>
  withStore(async ({ db, documents }) => {
    const rows = await db
      .selectFrom('documents')
      .selectAll()
      .where('id', '<>', ownDocument)
      .orderBy('title')
      .execute()
    return Promise.all(
      rows.map(async ({ id, title, owner }) => {
        const { updates, owners } = await documents.load(id, 'body')
        const doc = docOfUpdates(updates)
        const text = doc.getXmlFragment('default').toJSON()
        return { title, owner, text, doc, owners: [...new Set(owners?.values())] }
      }),
    )
  })

/** Creates a text as Tiptap writes it. */
function createText(root: string, text: string, node = 'paragraph'): Y.Doc {
  const doc = new Y.Doc()
  const paragraph = new Y.XmlElement(node)
  doc.getXmlFragment(root).insert(0, [paragraph])
  paragraph.insert(0, [new Y.XmlText(text)])
  return doc
}

/** The statements of @hocuspocus/extension-sqlite 4.7.0, src/SQLite.ts; its state is `Y.encodeStateAsUpdate(document)`. */
function writeHocuspocus(contents: Readonly<Record<string, Y.Doc | Uint8Array>>): string {
  const file = join(folder.path, 'hocuspocus.sqlite')
  using database = new DatabaseSync(file)
  database.exec(`CREATE TABLE IF NOT EXISTS "documents" (
    "name" varchar(255) NOT NULL,
    "data" blob NOT NULL,
    UNIQUE(name)
  )`)
  const upsert = database.prepare(`
    INSERT INTO "documents" ("name", "data") VALUES ($name, $data)
      ON CONFLICT(name) DO UPDATE SET data = $data`)
  for (const [$name, content] of Object.entries(contents))
    upsert.run({ $name, $data: content instanceof Y.Doc ? Y.encodeStateAsUpdate(content) : content })
  return file
}

describe('documents of Hocuspocus', () => {
  test('become documents of the owner with the name as their title, and their text, edits and other roots', async () => {
    const plan = createText('default', 'Plan')
    const text = plan.getXmlFragment('default').get(0) as Y.XmlElement
    ;(text.get(0) as Y.XmlText).format(0, 2, { bold: {} })
    plan.getMap('config').set('colour', 'red')
    const titled = createText('default', 'x')
    titled.getText('title').insert(0, 'Its own title')
    const lines = await runImport('hocuspocus', writeHocuspocus({ ' plan\n1': plan, titled }))
    expect(lines.at(-1)).toBe('2 documents were imported, and 0 left out.')
    const [own, named] = await readImported()
    expect(own).toMatchObject({ title: 'Its own title', owner: OWNER.id, owners: [SERVER_OWNER] })
    expect(named).toMatchObject({
      title: 'plan 1',
      text: '<paragraph><bold>Pl</bold>an</paragraph>',
      owners: [SERVER_OWNER],
    })
    expect(named!.doc.getText('title').toJSON()).toBe('plan 1')
    expect(named!.doc.getMap('config').toJSON()).toEqual({ colour: 'red' })
    expect(Y.decodeStateVector(Y.encodeStateVector(named!.doc)).get(plan.clientID)).toBe(
      Y.decodeStateVector(Y.encodeStateVector(plan)).get(plan.clientID),
    )
  })

  test('the text of another root is moved to the one that the editor reads, with its ids', async () => {
    const [named, example, both] = ['body', 'prosemirror', 'prosemirror'].map((root) =>
      createText(root, root),
    )
    both!.getXmlFragment('default').insert(0, [new Y.XmlElement('paragraph')])
    both!.getXmlFragment('default').delete(0, 1)
    const file = writeHocuspocus({ named: named!, example: example!, both: both! })
    expect(await runImport('hocuspocus', file)).toContain(
      '“named” was left out: it has no text under default or prosemirror, but something under body.',
    )
    await runImport('hocuspocus', file, '--text-root', 'body')
    const texts = (await readImported()).map(({ title, text }) => `${title} ${text}`)
    expect(texts).toEqual([
      'both <paragraph>prosemirror</paragraph>',
      'example <paragraph>prosemirror</paragraph>',
      'named <paragraph>body</paragraph>',
    ])
  })

  test('what the editor does not know, or finds in an odd place, comes along', async () => {
    const nested = createText('default', 'x')
    const item = new Y.XmlElement('listItem')
    nested.getXmlFragment('default').insert(0, [item])
    item.insert(0, [new Y.XmlElement('paragraph')])
    const image = createText('default', 'x')
    image.getXmlFragment('default').insert(1, [new Y.XmlElement('image')])
    const marked = createText('default', '')
    const paragraph = marked.getXmlFragment('default').get(0) as Y.XmlElement
    paragraph.insert(0, [new Y.XmlText()])
    ;(paragraph.get(0) as Y.XmlText).insert(0, 'x', { glow: {} })
    const list = createText('default', 'x', 'bulletList')
    await runImport('hocuspocus', writeHocuspocus({ nested, image, marked, list }))
    const texts = Object.fromEntries((await readImported()).map(({ title, text }) => [title, text]))
    expect(texts).toEqual({
      nested: '<listitem><paragraph></paragraph></listitem><paragraph>x</paragraph>',
      image: '<paragraph>x</paragraph><image></image>',
      marked: '<paragraph><glow>x</glow></paragraph>',
      list: '<bulletlist>x</bulletlist>',
    })
  })

  test('what a room would refuse is named and left out whole', async () => {
    const early = createText('default', 'first')
    const known = Y.encodeStateVector(early)
    early.getText('title').insert(0, 'later')
    early.getText('title').insert(0, 'later')
    const deep = createText('default', 'x')
    let map: Y.Map<unknown> = deep.getMap('deep')
    for (let depth = 0; depth < 200; depth++) {
      const inner = new Y.Map<unknown>()
      map.set('m', inner)
      map = inner
    }
    const lines = await runImport(
      'hocuspocus',
      writeHocuspocus({
        deep,
        empty: new Y.Doc(),
        early: Y.encodeStateAsUpdate(early, known),
        noise: Uint8Array.of(1, 2, 3),
        fine: createText('default', 'fine'),
        slow: createQuadraticUpdate(20),
      }),
    )
    const reasons = Object.fromEntries(
      lines.flatMap((line) => {
        const found = /^“(.+)” was left out: (.+)\.$/.exec(line)
        return found ? [[found[1], found[2]]] : []
      }),
    )
    expect(reasons).toEqual({
      deep: expect.stringContaining('100'),
      empty: 'it is empty',
      early: 'it waits for edits that are not there',
      noise: expect.stringMatching(/^Yjs cannot read it/),
      slow: 'it is empty',
    })
    expect((await readImported()).map(({ title }) => title)).toEqual(['fine'])
  })

  test('a file of another kind, and an owner that is not there, are refused in one sentence', async () => {
    const file = writeHocuspocus({})
    await expect(runImport('hocuspocus', join(folder.path, 'diptych.sqlite'))).rejects.toThrow(
      'has no documents of Hocuspocus: no such column: name.',
    )
    await expect(runImport('hocuspocus', join(folder.path, 'none'))).rejects.toThrow('is not there.')
    await expect(runImport('hocuspocus', file, '--owner-of', 'nobody')).rejects.toThrow(
      'There is no document nobody',
    )
    await expect(runImport('word', file)).rejects.toThrow('Allowed is one of')
  })
})

const levelPackage = join(import.meta.dirname, '../../bench/node_modules/y-leveldb')

describe.skipIf(!existsSync(levelPackage))(
  'documents of y-websocket (skipped where its package is missing: npm ci --prefix bench)',
  () => {
    test('as y-leveldb wrote them: many updates, a flushed document, metadata between; not while it holds them', async () => {
      const path = join(folder.path, 'level')
      const names = ['flushed', 'room-1', 'ä long name of a room']
      const writer = fileURLToPath(new URL('./fixtures/y-leveldb-writer.ts', import.meta.url))
      await using child = startChild(process.execPath, [writer, path, ...names])
      await awaitOutput(child, /written/)
      await expect(runImport('y-websocket', path)).rejects.toThrow(/cannot be opened: .*lock/i)
      child.process.kill('SIGKILL')
      await child.ended

      expect((await runImport('y-websocket', path)).at(-1)).toBe('3 documents were imported, and 0 left out.')
      const imported = await readImported()
      expect(imported.map(({ title, text }) => [title, text])).toEqual(
        names.map((name) => [name, `<paragraph>${name}</paragraph>`]),
      )
    })

    test('a folder of another kind is refused, and stays as it is', async () => {
      await expect(runImport('y-websocket', folder.path)).rejects.toThrow('is no folder of a LevelDB.')
      expect(existsSync(join(folder.path, 'CURRENT'))).toBe(false)
    })
  },
)
