/** The addresses of files and uploads, where they have to be known before the API sees a request. */
import type { FileAddress } from './file-records.ts'

/** Null for any other path. */
export function readFilePath(pathname: string): FileAddress | null {
  const [, document, id] = /^\/api\/documents\/([\w-]+)\/files\/([\w-]+)$/.exec(pathname) ?? []
  return document !== undefined && id !== undefined ? { document, id } : null
}

export const IMPORT_PATH = '/api/documents/import'

/**
 * Whether the body of a request is a file, or a piece of one: then it may be longer than those of the rest of the API, and is read as it
 * comes.
 */
export const hasStreamedBody = (method: string, pathname: string): boolean =>
  (method === 'PATCH' && readFilePath(pathname) !== null) || (method === 'POST' && pathname === IMPORT_PATH)
