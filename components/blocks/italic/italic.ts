import { italic as definition } from '@/lib/blocks/italic/italic.ts'
import { markExtension } from '../mark-extension.ts'

export const italic = markExtension(definition, {
  keys: ['Mod-i', 'Mod-I'],
  typed: [/(?:^|\s)(\*(?!\s+\*)((?:[^*]+))\*(?!\s+\*))$/, /(?:^|\s)(_(?!\s+_)((?:[^_]+))_(?!\s+_))$/],
})
