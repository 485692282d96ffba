/** Lets Node import what pages import as `@/…`. Loaded by `--import`, before anything of a page. */
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

const root = pathToFileURL(join(import.meta.dirname, '../../../', '/'))

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.startsWith('@/') ? new URL(specifier.slice(2), root).href : specifier, context),
})
