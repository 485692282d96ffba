/** The shapes of the files of a document, as the HTTP API publishes them. */
import { z } from '@hono/zod-openapi'
import { fileIdOf } from '../../lib/files/file-reference.ts'

const filePerson = z.object({ id: z.string(), name: z.string() })

export const fileListSchema = z
  .object({
    files: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string().openapi({ description: 'As its bytes have it, whatever its name says.' }),
        bytes: z.int(),
        width: z.int().nullable().openapi({ description: 'In pixels; null for what is no picture.' }),
        height: z.int().nullable(),
        uploadedAt: z.iso.datetime(),
        uploadedBy: filePerson,
      }),
    ),
    uploads: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        bytes: z.int(),
        received: z.int().openapi({ description: 'How many of the bytes have arrived.' }),
        startedAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
        uploadedBy: filePerson,
      }),
    ),
  })
  .openapi('FileList')

/** As many as one paste brings. */
const MAX_COPIED_FILES = 200

const fileId = z.string().refine((file) => fileIdOf({ file }) !== '')

export const filesToCopySchema = z
  .object({
    from: z.string().openapi({ description: 'The document that has them.' }),
    files: z.array(fileId).min(1).max(MAX_COPIED_FILES),
  })
  .openapi('FilesToCopy')

export const copiedFilesSchema = z.object({ files: z.array(z.string()) }).openapi('CopiedFiles')
