import { Strikethrough } from 'lucide-react'
import { strike as definition } from '@/lib/blocks/strike/strike.ts'
import { markBlock } from '../mark-block.ts'

export const strike = markBlock(definition, {
  keys: 'Mod+Shift+S',
  Icon: Strikethrough,
  typed: [/(?:^|\s)(~~(?!\s+~~)((?:[^~]+))~~(?!\s+~~))$/],
})
