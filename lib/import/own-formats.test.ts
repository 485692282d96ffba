/** What this program writes in a format comes back as it was, but for what docs/FORMATS.md lists. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { writeBlocks } from '../../server/api/write-blocks.ts'
import type { ExportSource } from '../export/export-source.ts'
import { readExportSource } from '../export/export-source.ts'
import { type Feature, featureNames } from '../export/features.ts'
import { docxBytesOf, png } from '../export/fixtures/docx-bytes.ts'
import { documentOf, sourceOf } from '../export/fixtures/export-sources.ts'
import { featureExamples } from '../export/fixtures/feature-examples.ts'
import { writeHtml } from '../export/write-html.ts'
import { jsonOf } from '../export/write-json.ts'
import { exportStrings } from '../strings/export.ts'
import { importOne } from './fixtures/import-files.ts'

const htmlOf = (source: ExportSource): string =>
  writeHtml(source)
    .map((part) => (typeof part === 'string' ? part : Buffer.from(png).toString('base64')))
    .join('')

const writers = {
  HTML: async (source: ExportSource) => importOne('a.html', htmlOf(source)),
  DOCX: async (source: ExportSource) => importOne('a.docx', await docxBytesOf(source)),
} as const

/** Files get ids of their own, and pictures the size that their bytes have: those of the examples are all one dot. */
const withoutFiles = (text: unknown): string =>
  JSON.stringify(text)
    .replaceAll(/"(?:file|name|width|height)":(?:"[^"]*"|\d+|null),?/g, '')
    .replaceAll(/"type":"image\/[a-z]+",?/g, '')

async function comesBack(feature: Feature, format: keyof typeof writers): Promise<boolean> {
  const doc = documentOf(...featureExamples[feature as 'paragraphs'])
  const options = { title: '', ...(feature === 'comments' && { commentOn: 'words' }) }
  const before = sourceOf(doc, options)
  const read = await writers[format](before)
  const body = new Y.Doc()
  writeBlocks(body.getXmlFragment('default'), read.blocks)
  const after = jsonOf(readExportSource(body, null, { ...before, files: [...before.files.values()] }))
  // The schema's own defaults are the same as none.
  const normal = (text: unknown) =>
    withoutFiles(documentOf(...(text as { content: never[] }).content).toJSON())
  return (
    normal(after.text) === normal(jsonOf(before).text) &&
    read.threads.length === jsonOf(before).comments.length
  )
}

const formatsPage = readFileSync(join(import.meta.dirname, '../../docs/FORMATS.md'), 'utf8')

function listedIn(format: string): string[] {
  const page = formatsPage.replaceAll(/\s+/g, ' ')
  const [, list = ''] = new RegExp(`\\*\\*${format}\\*\\* comes back but for: ([^.]*)\\.`).exec(page) ?? []
  return list.split('; ')
}

describe.each(['HTML', 'DOCX'] as const)('%s', (format) => {
  test('comes back, but for what the page on formats lists', async () => {
    const lost: string[] = []
    for (const feature of featureNames)
      if (feature !== 'unknown' && !(await comesBack(feature, format)))
        lost.push(exportStrings.features[feature])
    expect(lost.toSorted()).toEqual(listedIn(format).toSorted())
  })
})
