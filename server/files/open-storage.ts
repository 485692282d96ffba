/** Opens the storage that the settings name. */
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { FileStorage } from './file-storage.ts'
import { FolderStorage } from './folder-storage.ts'
import { S3Storage } from './s3-storage.ts'

export type StorageConfig = Pick<Config, 'dataDir'> &
  Partial<Pick<Config, 'filesDir' | 's3Bucket' | 's3Region' | 's3AccessKeyId' | 's3SecretAccessKey'>>

export function openFileStorage({ dataDir, filesDir, s3Bucket, ...s3 }: StorageConfig): FileStorage {
  if (!s3Bucket) return new FolderStorage(filesDir ?? join(dataDir, 'files'))
  const { s3Region: region = '', s3AccessKeyId, s3SecretAccessKey } = s3
  return new S3Storage({
    bucketUrl: s3Bucket,
    region,
    accessKeyId: s3AccessKeyId ?? '',
    secretAccessKey: s3SecretAccessKey ?? '',
  })
}
