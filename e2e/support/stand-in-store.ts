/**
 * Is preloaded into the server (`node --import`): replaces the module of the real store by the file whose URL is in STORE_STAND_IN.
 * The program itself does not notice.
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
