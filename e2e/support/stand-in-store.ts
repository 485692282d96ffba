/**
 * Preloaded into the server (`node --import`): puts the store named by STORE_STAND_IN, a file's URL, in the place of the real
 * one's face. The program itself knows nothing of it.
 */
import { registerHooks } from 'node:module'

const stand = process.env.STORE_STAND_IN

registerHooks({
  resolve(specifier, context, next) {
    const asked = specifier === './store/sqlite.ts' && context.parentURL?.endsWith('/server/parts.ts')
    return next(asked && stand ? stand : specifier, context)
  },
})
