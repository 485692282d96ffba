/**
 * Preloaded into the server (`node --import`): puts a slow disk under it, so that a kill falls between an edit's arrival and its
 * commit more often than not. The program itself knows nothing of it.
 */
import { registerHooks } from 'node:module'

const stand = new URL('slow-sqlite.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const asked = specifier === './store/sqlite.ts' && context.parentURL?.endsWith('/server/parts.ts')
    return next(asked ? stand : specifier, context)
  },
})
