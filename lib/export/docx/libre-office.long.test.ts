/** LibreOffice opens what is written, and reads the letters that were there. Skipped where it is not installed. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findExecutable } from '../../../e2e/fixtures/find-executable.ts'
import { blockTextOf, textBlocksOf } from '../../text/plain-text.ts'
import type { ExportSource } from '../export-source.ts'
import { featureNames } from '../features.ts'
import { docxBytesOf } from '../fixtures/docx-bytes.ts'
import { documentOf, sourceOf } from '../fixtures/export-sources.ts'
import { featureExamples } from '../fixtures/feature-examples.ts'
import { anyDocument } from '../fixtures/random-documents.ts'

const soffice = findExecutable(['soffice', 'libreoffice'])
const reason = soffice ? '' : ' (not tried: no soffice on this system)'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'diptych-office-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** One start of the program converts all files. */
async function convert(names: readonly string[], to: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${folder}/profile`
  const files = names.map((name) => join(folder, `${name}.docx`))
  await promisify(execFile)(soffice!, [
    profile,
    '--headless',
    '--convert-to',
    to,
    '--outdir',
    folder,
    ...files,
  ])
}

const examples = featureNames
  .filter((feature) => !['unknown', 'comments', 'detachedComments'].includes(feature))
  .map((name) => [name, featureExamples[name]] as const)

const sources: readonly (readonly [name: string, source: ExportSource])[] = [
  ...examples.map(([name, blocks]) => [name, sourceOf(documentOf(...blocks))] as const),
  ['comments', sourceOf(documentOf(...featureExamples.comments), { commentOn: 'words' })],
  ...fc
    .sample(anyDocument, { numRuns: 30, seed: 1 })
    .map((doc, at) => [`random-${at}`, sourceOf(doc)] as const),
]

describe.skipIf(!soffice)(`LibreOffice${reason}`, () => {
  test('reads each letter, and makes a PDF of each', { timeout: 300_000 }, async () => {
    for (const [name, source] of sources)
      await writeFile(join(folder, `${name}.docx`), await docxBytesOf(source))
    const names = sources.map(([name]) => name)
    await convert(names, 'txt:Text (encoded):UTF8')
    await convert(names, 'pdf')
    for (const [name, { blocks }] of sources) {
      const read = (await readFile(join(folder, `${name}.txt`), 'utf8')).replaceAll(/\s+/g, '')
      for (const line of textBlocksOf(blocks))
        for (const part of blockTextOf(line).split(/[\n\uFFFC]/))
          expect(read, name).toContain(part.replaceAll(/\s+/g, ''))
      expect((await readFile(join(folder, `${name}.pdf`))).subarray(0, 5).toString(), name).toBe('%PDF-')
    }
  })
})
