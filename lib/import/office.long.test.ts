/** Documents that LibreOffice and python-docx write become blocks. Each is skipped where it is not installed. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findExecutable } from '../../e2e/fixtures/find-executable.ts'
import { docxBytesOf, png } from '../export/fixtures/docx-bytes.ts'
import { documentOf, sourceOf } from '../export/fixtures/export-sources.ts'
import { featureExamples } from '../export/fixtures/feature-examples.ts'
import { featureNames } from '../export/features.ts'
import { blockTextOf, textBlocksOf } from '../text/plain-text.ts'
import { importOne, linesIn, typesIn } from './fixtures/import-files.ts'
import { lettersOfJson } from './json-letters.ts'

const run = promisify(execFile)
const soffice = findExecutable(['soffice', 'libreoffice'])
const python = process.env.PYTHON_DOCX

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diptych-office-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** @param from The folder of the files, whose names stay. */
async function convertToDocx(files: readonly string[], to: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const options = ['--headless', '--infilter=HTML (StarWriter)', '--convert-to', 'docx:MS Word 2007 XML']
  await run(soffice!, [profile, ...options, '--outdir', to, ...files])
}

describe.skipIf(!soffice)(`LibreOffice${soffice ? '' : ' (not tried: no soffice on this system)'}`, () => {
  test(
    'writes what is read: headings, marks, lists, tables, quotes and pictures',
    { timeout: 120_000 },
    async () => {
      const page = `<h1>Why</h1><p>Plain and <b>bold</b> and <i>italic</i></p><p style="text-align: center">middle</p>
      <ul><li>one</li></ul><ol><li>first</li></ol><blockquote>said</blockquote>
      <table border=1><tr><td>A</td><td>B</td></tr><tr><td colspan=2>wide</td></tr></table>
      <p><img alt="A dot" src="data:image/png;base64,${Buffer.from(png).toString('base64')}"></p>`
      await writeFile(join(folder, 'page.html'), page)
      await convertToDocx([join(folder, 'page.html')], folder)
      const { title, blocks, files } = await importOne('page.docx', await readFile(join(folder, 'page.docx')))
      expect(title).toBe('Why')
      const letters = linesIn(blocks).join('\n')
      for (const words of ['Plain and bold and italic', 'middle', 'one', 'first', 'said', 'wide'])
        expect(letters).toContain(words)
      for (const type of ['bulletList', 'orderedList', 'table', 'picture'])
        expect(typesIn(blocks)).toContain(type)
      expect(JSON.stringify(blocks)).toContain('"marks":[{"type":"bold"}]')
      expect(
        blocks.find(({ content }) => lettersOfJson({ type: '', content: content ?? [] }) === 'middle'),
      ).toMatchObject({
        attrs: { align: 'center' },
      })
      expect(blocks.find(({ type }) => type === 'table')!.content![1]!.content![0]!.attrs!['colspan']).toBe(2)
      expect(files).toHaveLength(1)
    },
  )

  test('gives back each letter of what this program wrote', { timeout: 300_000 }, async () => {
    const names = featureNames.filter((name) => !['unknown', 'comments', 'detachedComments'].includes(name))
    const sources = names.map((name) => [name, sourceOf(documentOf(...featureExamples[name]))] as const)
    const written = join(folder, 'written')
    for (const [name, source] of sources)
      await writeFile(join(folder, `${name}.docx`), await docxBytesOf(source))
    const profile = `-env:UserInstallation=file://${folder}/profile`
    const paths = names.map((name) => join(folder, `${name}.docx`))
    await run(soffice!, [
      profile,
      '--headless',
      '--convert-to',
      'docx:MS Word 2007 XML',
      '--outdir',
      written,
      ...paths,
    ])
    for (const [name, { blocks }] of sources) {
      const read = await importOne(`${name}.docx`, await readFile(join(written, `${name}.docx`)))
      const letters = linesIn(read.blocks).join('').replaceAll(/\s+/g, '')
      for (const line of textBlocksOf(blocks))
        for (const part of blockTextOf(line).split(/[\n\uFFFC]/))
          expect(letters, name).toContain(part.replaceAll(/\s+/g, ''))
    }
  })
})

describe.skipIf(!python)(
  `python-docx${python ? '' : ' (not tried: PYTHON_DOCX names no Python that has it)'}`,
  () => {
    test('writes what is read: styles, marks, lists, merged cells and pictures', async () => {
      const [file, picture] = [join(folder, 'python.docx'), join(folder, 'dot.png')]
      await writeFile(picture, png)
      await run(python!, [join(import.meta.dirname, 'fixtures/python-docx.py'), file, picture])
      const { title, blocks, files, losses } = await importOne('python.docx', await readFile(file))
      expect(title).toBe('The plan')
      expect(typesIn(blocks)).toEqual([
        'heading',
        'paragraph',
        'paragraph',
        'blockquote',
        'bulletList',
        'orderedList',
        'table',
        'picture',
      ])
      expect(
        blocks[1]!.content!.map(({ text, marks = [] }) => [text, ...marks.map(({ type }) => type)]),
      ).toEqual([
        ['Plain, '],
        ['bold', 'bold'],
        [', '],
        ['italic', 'italic'],
        [' and '],
        ['marked', 'highlight'],
      ])
      expect(blocks[2]).toMatchObject({ attrs: { align: 'center' } })
      expect(linesIn(blocks[5]!.content!)).toEqual(['first', 'second'])
      const [first, second] = blocks[6]!.content!
      expect(first!.content![0]!.attrs).toMatchObject({ colspan: 2 })
      expect(second!.content![2]!.attrs).toMatchObject({ rowspan: 2 })
      expect(files).toHaveLength(1)
      expect(losses).toEqual([])
    })
  },
)
