/**
 * Keeps files in a bucket of an S3-compatible storage, which has nothing else in it. What is large goes there in parts, so that a part alone
 * is sent again. It knows keys and bytes; it does not know documents.
 */
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { storageStrings } from '../../lib/strings/storage.ts'
import { NoSpace } from '../storage/storage-quota.ts'
import { StoreError } from '../store/store.ts'
import {
  type ByteRange,
  type FileStorage,
  isStorageKey,
  type StorageNote,
  type StoredKey,
} from './file-storage.ts'
import { storageError } from './folder-storage.ts'

export interface S3Options {
  /** The address of the bucket, without a slash at its end. */
  readonly bucketUrl: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** S3 takes parts of 5 MiB at least. */
const PART_BYTES = 16 * 1024 * 1024
const LARGE_BYTES = 2 * PART_BYTES
/** What is sent or asked for in one request is there after this, or the storage counts as gone. */
const REQUEST_TIMEOUT_MS = 120_000
const RETRIES = 2

export class S3Storage implements FileStorage {
  readonly #client: AwsClient
  readonly #bucketUrl: string

  constructor({ bucketUrl, region, accessKeyId, secretAccessKey }: S3Options) {
    this.#bucketUrl = bucketUrl
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES })
  }

  async put(key: string, path: string): Promise<void> {
    const url = this.#urlOf(key)
    const blob = await openFile(path)
    if (blob.size > LARGE_BYTES) return this.#putInParts(url, blob)
    // The storage compares the hash with what arrives.
    const sha256 = key.slice(0, 64)
    await this.#request(url, { method: 'PUT', body: blob, headers: { 'x-amz-content-sha256': sha256 } })
  }

  async #putInParts(url: string, blob: Blob): Promise<void> {
    const begun = await this.#request(`${url}?uploads=`, { method: 'POST' })
    const upload = encodeURIComponent(valuesOf(await begun.text(), 'UploadId')[0] ?? '')
    try {
      const tags: string[] = []
      for (let start = 0; start < blob.size; start += PART_BYTES) {
        const part = `${url}?partNumber=${tags.length + 1}&uploadId=${upload}`
        const body = blob.slice(start, start + PART_BYTES)
        const { headers } = await this.#request(part, { method: 'PUT', body })
        tags.push(headers.get('etag') ?? '')
      }
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      )
      const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
      const answer = await this.#request(`${url}?uploadId=${upload}`, { method: 'POST', body })
      // A failure at this point may be answered 200.
      const text = await answer.text()
      if (text.includes('<Error>')) throw problem(valuesOf(text, 'Code')[0] ?? 'Error')
    } catch (error) {
      await this.#request(`${url}?uploadId=${upload}`, { method: 'DELETE' }).catch(() => {})
      throw error
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const answer = await this.#request(this.#urlOf(key), { headers })
    if (answer.status === 404) return null
    if (!answer.body) return Readable.from([])
    // The DOM's and Node's declarations of ReadableStream describe one class.
    return Readable.fromWeb(answer.body as NodeReadableStream)
  }

  async has(key: string): Promise<boolean> {
    return (await this.#request(this.#urlOf(key), { method: 'HEAD' })).ok
  }

  async delete(key: string): Promise<void> {
    const answer = await this.#request(this.#urlOf(key), { method: 'DELETE' })
    await answer.body?.cancel()
  }

  async *list(): AsyncGenerator<StoredKey> {
    for (let next: string | undefined = ''; next !== undefined;) {
      const from = next && `&continuation-token=${encodeURIComponent(next)}`
      const answer = await this.#request(`${this.#bucketUrl}?list-type=2${from}`, {})
      const text = await answer.text()
      for (const object of valuesOf(text, 'Contents')) {
        const [name = '', time = ''] = [valuesOf(object, 'Key')[0], valuesOf(object, 'LastModified')[0]]
        const key = name.slice(name.indexOf('/') + 1)
        if (isStorageKey(key)) yield { key, storedAt: Date.parse(time) }
      }
      next = valuesOf(text, 'NextContinuationToken')[0]
    }
  }

  async readNote(note: StorageNote): Promise<string | null> {
    const answer = await this.#request(`${this.#bucketUrl}/${note}`, {})
    const text = await answer.text()
    return answer.ok ? text : null
  }

  async writeNote(note: StorageNote, text: string): Promise<void> {
    await this.#request(`${this.#bucketUrl}/${note}`, { method: 'PUT', body: text })
  }

  #urlOf(key: string): string {
    if (!isStorageKey(key)) throw new StoreError(`${key} is no key of a file`)
    return `${this.#bucketUrl}/${key.slice(0, 2)}/${key}`
  }

  /** Returns the answer, 404 included. @throws {NoSpace} @throws {StoreError} */
  async #request(url: string, init: RequestInit): Promise<Response> {
    // The time ends with the headers of the answer: its body lasts as long as its reader takes it.
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), REQUEST_TIMEOUT_MS)
    try {
      const answer = await this.#client.fetch(url, { ...init, signal: timeout.signal })
      if (answer.ok || answer.status === 404) return answer
      const code = valuesOf(await answer.text(), 'Code')[0] ?? ''
      if (answer.status === 507) throw new NoSpace(storageStrings.serverFull)
      throw problem(`${answer.status} ${code}`)
    } catch (error) {
      if (error instanceof StoreError || error instanceof NoSpace) throw error
      throw problem((error as Error).message, error)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path)
  } catch (error) {
    throw storageError(error as NodeJS.ErrnoException)
  }
}

const problem = (what: string, cause?: unknown): StoreError =>
  new StoreError(`Files cannot be stored or read: the bucket says ${what}`, { cause })

/** What stands in elements of a name, of which none lies within another. Our keys and S3's tokens have no escapes. */
const valuesOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, value]) => value!)
