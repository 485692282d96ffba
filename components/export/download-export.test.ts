import { afterEach, expect, test, vi } from 'vitest'
import { fetchExport } from './download-export.ts'

afterEach(() => vi.unstubAllGlobals())

test('an export is read by browsers whose streams cannot be iterated over, such as Safari', async () => {
  const chunks = Array.from({ length: 3 }, (_, at) => new Uint8Array(6 * 1024 * 1024).fill(at))
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined })
  const headers = {
    'content-disposition': "attachment; filename*=UTF-8''a.zip",
    'content-type': 'a/b',
    'diptych-missing-pictures': '2',
  }
  const response = new Response(null, { headers })
  Object.defineProperty(response, 'body', { value: body })
  vi.stubGlobal('fetch', async () => response)
  const progress: number[] = []
  const { signal } = new AbortController()
  const file = await fetchExport('/', { signal, onProgress: (bytes) => progress.push(bytes) })
  expect([file.name, file.bytes.type]).toEqual(['a.zip', 'a/b'])
  expect(file.missingPictures).toBe(2)
  expect(progress).toEqual([6, 12, 18].map((mib) => mib * 1024 * 1024))
  expect(Buffer.compare(Buffer.from(await file.bytes.arrayBuffer()), Buffer.concat(chunks))).toBe(0)
})
