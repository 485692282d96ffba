import { strike as definition } from '@/lib/blocks/strike/strike.ts'
import { markExtension } from '../mark-extension.ts'

export const strike = markExtension(definition, {
  keys: ['Mod-Shift-s'],
  typed: [/(?:^|\s)(~~(?!\s+~~)((?:[^~]+))~~(?!\s+~~))$/],
})
