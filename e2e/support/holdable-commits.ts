/**
 * Preloaded into the server (`node --import`): puts a store whose commits a test can hold back in the place of the real one's face.
 * The program itself knows nothing of it. SIGUSR2 holds, the next one lets go; each is answered on standard error.
 */
import { registerHooks } from 'node:module'

const stand = new URL('holdable-sqlite.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, next) {
    const asked = specifier === './store/sqlite.ts' && context.parentURL?.endsWith('/server/parts.ts')
    return next(asked ? stand : specifier, context)
  },
})
