import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { createFileId } from '../../lib/files/file-reference.ts'
import { findIds } from './find-ids.ts'

async function missingIn(bytes: Uint8Array, ids: readonly string[]): Promise<string[]> {
  const missing = new Set(ids)
  await findIds(bytes, missing)
  return [...missing]
}

test('finds an id wherever it stands, also within more letters and across slices', async () => {
  const [id, other] = [createFileId(), createFileId()]
  for (const before of [0, 1, 128 * 1024 - 23, 128 * 1024 - 22, 128 * 1024 - 21, 128 * 1024 - 1, 128 * 1024])
    for (const letter of ['x', '\0'])
      expect(await missingIn(Buffer.from(letter.repeat(before) + id + 'x'), [id, other])).toEqual([other])
  expect(await missingIn(Buffer.from(id.slice(1)), [id])).toEqual([id])
  expect(await missingIn(Buffer.alloc(0), [id])).toEqual([id])
})

test('finds the ids of blocks, in a text that was merged, too', async () => {
  const ids = Array.from({ length: 20 }, () => createFileId())
  const doc = new Y.Doc()
  const fragment = doc.getXmlFragment('default')
  for (const id of ids) {
    const element = new Y.XmlElement('picture')
    element.setAttribute('file', id)
    fragment.insert(fragment.length, [element])
  }
  expect(await missingIn(Y.encodeStateAsUpdate(doc), ids)).toEqual([])
  expect(
    await missingIn(Y.mergeUpdates([Y.encodeStateAsUpdate(doc), Y.encodeStateAsUpdate(doc)]), ids),
  ).toEqual([])
})
