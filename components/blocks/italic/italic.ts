import { Italic } from 'lucide-react'
import { italic as definition } from '@/lib/blocks/italic/italic.ts'
import { markBlock } from '../mark-block.ts'

export const italic = markBlock(definition, {
  keys: 'Mod+I',
  Icon: Italic,
  typed: [/(?:^|\s)(\*(?!\s+\*)((?:[^*]+))\*(?!\s+\*))$/, /(?:^|\s)(_(?!\s+_)((?:[^_]+))_(?!\s+_))$/],
})
