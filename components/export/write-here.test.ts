import { strFromU8, unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { createFileId } from '@/lib/files/file-reference.ts'
import { writeOpenDocument } from './write-here.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000020000000108060000', 'hex')
const [here, lost] = [createFileId(), createFileId()]

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://example.org' })
  vi.stubGlobal('fetch', async (path: string) =>
    path.includes(here)
      ? new Response(png, { headers: { 'content-type': 'image/png' } })
      : new Response('{}', { status: 429 }),
  )
})
afterEach(() => vi.unstubAllGlobals())

function documentWithPictures(): OpenDocument {
  const doc = new Y.Doc()
  const pictures = [here, lost].map((file) => {
    const picture = new Y.XmlElement('picture')
    picture.setAttribute('file', file)
    picture.setAttribute('type', 'image/png')
    return picture
  })
  doc.getXmlFragment('default').insert(0, pictures)
  return { doc, comments: { doc: new Y.Doc() } } as unknown as OpenDocument
}

const write = (format: 'html' | 'docx') =>
  writeOpenDocument({
    document: 'd',
    opened: documentWithPictures(),
    format,
    hasComments: false,
    language: '',
  })

test('a picture that can be read nowhere is said to be missing in a page, and is counted', async () => {
  const { bytes, missingPictures } = await write('html')
  const html = await bytes.text()
  expect(html).toContain(`src="data:image/png;base64,${png.toString('base64')}"`)
  expect(html).not.toContain('base64,"')
  expect(html).toContain('file is missing.')
  expect(missingPictures).toBe(1)
})

test('in a file of Word, too, which has no picture without bytes', async () => {
  const { bytes, missingPictures } = await write('docx')
  const files = unzipSync(new Uint8Array(await bytes.arrayBuffer()))
  const media = Object.entries(files).filter(([name]) => name.startsWith('word/media/'))
  expect(media.map(([, data]) => data.length)).toEqual([png.length])
  expect(strFromU8(files['word/document.xml']!)).toContain('file is missing.')
  expect(missingPictures).toBe(1)
})
