/** Opens the storage that the settings name. */
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { FileStorage } from './file-storage.ts'
import { FolderStorage } from './folder-storage.ts'

export type StorageConfig = Pick<Config, 'dataDir' | 'filesDir'>

export const openFileStorage = ({ dataDir, filesDir }: StorageConfig): FileStorage =>
  new FolderStorage(filesDir ?? join(dataDir, 'files'))
