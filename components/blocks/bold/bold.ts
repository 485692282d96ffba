import { Bold } from 'lucide-react'
import { bold as definition } from '@/lib/blocks/bold/bold.ts'
import { markBlock } from '../mark-block.ts'

export const bold = markBlock(definition, {
  keys: 'Mod+B',
  Icon: Bold,
  typed: [
    /(?:^|\s)(\*\*(?!\s+\*\*)((?:[^*]+))\*\*(?!\s+\*\*))$/,
    /(?:^|\s)(__(?!\s+__)((?:[^_]+))__(?!\s+__))$/,
  ],
})
