import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FileClient } from '../api/fixtures/file-client.ts'
import { createFileId } from '../../lib/files/file-reference.ts'
import { RealServer } from '../fixtures/real-server.ts'
import { StoreError } from '../store/store.ts'
import { describeFileStorage } from './file-storage.contract.ts'
import { newStorageKey } from './file-storage.ts'
import { describeS3, S3Server } from './fixtures/s3-server.ts'
import { S3Storage } from './s3-storage.ts'

describeS3('S3', () => {
  let s3: S3Server
  beforeAll(async () => void (s3 = await S3Server.start()))
  afterAll(() => s3[Symbol.asyncDispose]())

  describeFileStorage(async () => ({
    storage: new S3Storage(await s3.createBucket()),
    manyBytes: 40 * 1024 * 1024,
    async [Symbol.asyncDispose]() {},
  }))

  test('a bucket that cannot be reached is a fault of the store', async () => {
    const storage = new S3Storage({ ...(await s3.createBucket()), bucketUrl: 'http://127.0.0.1:9/none' })
    await expect(storage.has(newStorageKey('0'.repeat(64)))).rejects.toBeInstanceOf(StoreError)
  })

  test('[A6] a storage that is gone in the middle is answered 503, and nothing has to be sent twice but the last piece', async () => {
    await using own = await S3Server.start()
    const { bucketUrl, region, accessKeyId, secretAccessKey } = await own.createBucket()
    await using server = await RealServer.start({
      environment: {
        S3_BUCKET: bucketUrl,
        S3_REGION: region,
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      },
    })
    const { id: document, cookie } = await server.createDocument()
    const client = new FileClient(server, document)
    const bytes = randomBytes(300_000)
    const id = createFileId()
    await client.begin({ cookie }, bytes.length, id)
    await client.append({ cookie }, id, 0, bytes.subarray(0, 200_000))
    await own.stop()
    const failed = await client.append({ cookie }, id, 200_000, bytes.subarray(200_000))
    expect(failed.status).toBe(503)
    expect((await client.tus({ cookie }, 'HEAD', id)).headers['upload-offset']).toBe('200000')
    await own.start()
    await own.createBucket(bucketUrl)
    expect((await client.append({ cookie }, id, 200_000, bytes.subarray(200_000))).status).toBe(204)
    const read = await client.call({ cookie }, 'GET', id, { headers: { range: 'bytes=100-199999' } })
    expect([read.status, read.body.equals(bytes.subarray(100, 200_000))]).toEqual([206, true])
  })
})
