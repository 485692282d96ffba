import { IDBFactory, IDBObjectStore as FDBObjectStore } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BroadcastChannelLike } from '../broadcast-channel.ts'
import { LocalRecords } from '../sync/local/local-records.ts'
import { FileUrls } from './file-urls.ts'
import { type LocalFile, LocalFiles, LocalFilesFull } from './local-files.ts'

const fileOf = (id: string, rest: Partial<LocalFile> = {}): LocalFile => ({
  id,
  documents: ['one'],
  principal: 'user:ann',
  name: `${id}.png`,
  type: 'image/png',
  bytes: new Blob(['12345']),
  ...rest,
})

let factory: IDBFactory
let files: LocalFiles
beforeEach(() => {
  factory = new IDBFactory()
  files = new LocalFiles(factory, 12)
})
afterEach(() => files.close())

const idsIn = async (...ids: string[]): Promise<string[]> => {
  const found = await Promise.all(ids.map((id) => files.get(id, '')))
  return found.flatMap((file) => file?.id ?? [])
}

test('two windows of a browser share files', async () => {
  await files.add(fileOf('a'))
  const other = new LocalFiles(factory)
  expect(await (await other.get('a', 'one'))?.bytes.text()).toBe('12345')
  await other.close()
})

test('a file that does not fit is refused, and the others stay', async () => {
  await files.add(fileOf('a'))
  await files.add(fileOf('b'))
  await expect(files.add(fileOf('c'))).rejects.toThrow(LocalFilesFull)
  expect(await idsIn('a', 'b', 'c')).toEqual(['a', 'b'])
})

test('files that the server has make room, and no others', async () => {
  await files.add(fileOf('a', { unsent: { one: 'cancelled' } }))
  await files.add(fileOf('b', { unsent: {} }))
  await files.add(fileOf('c', { unsent: { one: 'wanted' } }))
  expect(await idsIn('a', 'b', 'c')).toEqual(['a', 'c'])
  await expect(files.add(fileOf('d'))).rejects.toThrow(LocalFilesFull)
  await files.setUnsent('c', 'one', null)
  await files.add(fileOf('d'))
  expect(await idsIn('a', 'b', 'c', 'd')).toEqual(['a', 'd'])
})

test('what the server lacks is listed: of this person alone, and of documents that they put it into', async () => {
  const large = new LocalFiles(new IDBFactory())
  await large.add(fileOf('a', { documents: ['one', 'two'] })) // as an earlier page stored it
  await large.add(fileOf('b', { documents: ['two'], principal: '', unsent: { two: 'cancelled' } }))
  await large.add(fileOf('c', { principal: 'user:ben' }))
  await large.get('b', 'three')
  await large.setUnsent('b', 'four', 'wanted')
  const listed = async () =>
    (await large.listUnsent('user:ann')).map(({ file, document, state }) => [file.id, document, state])
  expect(await listed()).toEqual([
    ['a', 'one', 'wanted'],
    ['b', 'two', 'cancelled'],
    ['b', 'four', 'wanted'],
  ])
  await large.removeDocument('two')
  await large.setUnsent('a', 'one', null)
  expect(await listed()).toEqual([['b', 'four', 'wanted']])
  await large.setUnsent('gone', 'one', 'wanted')
  expect(await large.get('gone', '')).toBeUndefined()
  await large.close()
})

test('a browser that has no room says so as the limit does', async () => {
  const error = new DOMException('No room.', 'QuotaExceededError')
  const open = () => {
    throw error
  }
  await expect(new LocalFiles({ open }).add(fileOf('a'))).rejects.toThrow(LocalFilesFull)
})

test('where the browser stores no Blob, as Safari for a private window, the bytes are stored', async () => {
  const put = vi.spyOn(FDBObjectStore.prototype, 'put')
  put.mockImplementation(function (this: IDBObjectStore, file: unknown) {
    if ((file as LocalFile).bytes instanceof Blob) throw new DOMException('No Blobs.', 'DataCloneError')
    return this.add(file)
  })
  await files.add(fileOf('a', { unsent: { one: 'wanted' } }))
  put.mockRestore()
  const found = await files.get('a', 'one')
  expect([found?.bytes.type, await found?.bytes.text()]).toEqual(['image/png', '12345'])
  await files.setUnsent('a', 'one', 'cancelled')
  const [unsent] = await files.listUnsent('user:ann')
  expect([unsent?.state, await unsent?.file.bytes.text()]).toEqual(['cancelled', '12345'])
  await files.add(fileOf('b'))
  await expect(files.add(fileOf('c'))).rejects.toThrow(LocalFilesFull)
})

test('a document that leaves this device takes its files along, but for those that another one shows', async () => {
  await files.add(fileOf('a'))
  await files.add(fileOf('b'))
  await files.get('b', 'two')
  await files.removeDocument('one')
  expect(await idsIn('a', 'b')).toEqual(['b'])
  await files.removeDocument('two')
  expect(await idsIn('b')).toEqual([])
})

test('other people’s files are removed, and one’s own stay', async () => {
  await files.add(fileOf('a'))
  await files.add(fileOf('b', { principal: 'user:ben' }))
  await files.removeOtherPeople('user:ann')
  expect(await idsIn('a', 'b')).toEqual(['a'])
})

test('the records of a browser take the files along that they remove', async () => {
  const records = new LocalRecords(factory)
  await files.add(fileOf('a', { documents: ['two'] }))
  await files.add(fileOf('b', { principal: 'user:ben' }))
  await records.removeCopies('two')
  expect(await idsIn('a', 'b')).toEqual(['b'])
  await records.removeOtherPeopleData('user:ann')
  expect(await idsIn('b')).toEqual([])
  await records.close()
})

describe('addresses', () => {
  const channels = new Set<(event: { readonly data: unknown }) => void>()
  const openChannel = (): BroadcastChannelLike => {
    let own: (event: { readonly data: unknown }) => void = () => {}
    return {
      postMessage: (data) => channels.forEach((listener) => listener !== own && listener({ data })),
      addEventListener: (_type, listener) => void channels.add((own = listener)),
      close: () => void channels.delete(own),
    }
  }

  test('elements share one, which is revoked once after the last', async () => {
    const revoke = vi.spyOn(URL, 'revokeObjectURL')
    const urls = new FileUrls(files, openChannel())
    await urls.add(fileOf('a'))
    const [one, two] = await Promise.all([urls.open('a', 'one'), urls.open('a', 'one')])
    expect(one!.url).toBe(two!.url)
    one!.release()
    one!.release()
    expect(revoke).not.toHaveBeenCalled()
    two!.release()
    await vi.waitFor(() => expect(revoke.mock.calls).toEqual([[one!.url]]))
    expect((await urls.open('a', 'one'))!.url).not.toBe(one!.url)
    revoke.mockRestore()
  })

  test('all windows are told of a file that one has added', async () => {
    const [here, there] = [new FileUrls(files, openChannel()), new FileUrls(files, openChannel())]
    expect(await there.open('a', 'one')).toBeNull()
    const heard: string[] = []
    const stop = there.onAdded('a', () => heard.push('there'))
    here.onAdded('a', () => heard.push('here'))
    await here.add(fileOf('a'))
    expect(heard.toSorted()).toEqual(['here', 'there'])
    expect(await there.open('a', 'one')).not.toBeNull()
    stop()
    await here.add(fileOf('a'))
    expect(heard.filter((window) => window === 'there')).toHaveLength(1)
  })
})
