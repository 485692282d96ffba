import { bold as definition } from '@/lib/blocks/bold/bold.ts'
import { markExtension } from '../mark-extension.ts'

export const bold = markExtension(definition, {
  keys: ['Mod-b', 'Mod-B'],
  typed: [
    /(?:^|\s)(\*\*(?!\s+\*\*)((?:[^*]+))\*\*(?!\s+\*\*))$/,
    /(?:^|\s)(__(?!\s+__)((?:[^_]+))__(?!\s+__))$/,
  ],
})
