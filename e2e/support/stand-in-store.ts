/**
 * Preloaded into the server (`node --import`): puts the store named by STORE_STAND_IN, a file's URL, in the place of the real
 * one's face. The program itself knows nothing of it.
 */
import { registerHooks } from 'node:module'

const replacementUrl = process.env.STORE_STAND_IN

registerHooks({
  resolve(specifier, context, next) {
    const isStoreImport =
      specifier === './store/sqlite.ts' && context.parentURL?.endsWith('/server/services.ts')
    return next(isStoreImport && replacementUrl ? replacementUrl : specifier, context)
  },
})
