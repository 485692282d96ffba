/** Lets a document have files of another one, as when blocks are pasted from there. No bytes are sent or copied. */
import { z } from '@hono/zod-openapi'
import { copyFiles, findFilesToCopy } from '../files/file-records.ts'
import { apiUnits } from '../metering/prices.ts'
import {
  type Api,
  type ApiDependencies,
  createAdmittedRoute,
  jsonContent,
  jsonResponse,
  requireRole,
  takeWork,
} from './api-routing.ts'
import { copiedFilesSchema, filesToCopySchema } from './file-schemas.ts'
import { storeFiles } from './store-files.ts'

const params = z.object({ id: z.string() })

export function addFileCopyRoute(api: Api, dependencies: ApiDependencies): void {
  const { access, db, log } = dependencies
  const route = createAdmittedRoute(access, {
    method: 'post',
    path: '/api/documents/{id}/files/copies',
    summary: 'Take over files of another document. Needs the role editor or owner here, and any role there.',
    request: { params, body: { content: jsonContent(filesToCopySchema), required: true } },
    responses: {
      200: jsonResponse(
        copiedFilesSchema,
        'Those of the files that this document has now, under the same ids.',
      ),
    },
  })
  api.openapi(route, async (context) => {
    const { id: document } = context.req.valid('param')
    const { from, files: ids } = context.req.valid('json')
    await requireRole(access, context, document, 'write')
    await requireRole(access, context, from, 'read')
    takeWork(context, apiUnits.uploadedFile(0) + apiUnits.rows(ids.length))
    const by = context.get('principal').id
    const found = await findFilesToCopy(db, from, ids, document)
    const missing = found.filter(({ isThere }) => !isThere)
    if (missing.length > 0) {
      const bytes = missing.reduce((sum, file) => sum + file.bytes, 0)
      await storeFiles(dependencies, { document, files: missing.length, bytes, by }, () =>
        copyFiles(db, from, { document, by, now: Date.now(), ids: missing.map(({ id }) => id) }),
      )
      log.info({ document, from, files: missing.length, by }, 'files taken over from another document')
    }
    return context.json({ files: found.map(({ id }) => id) }, 200)
  })
}
