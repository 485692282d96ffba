import { Underline } from 'lucide-react'
import { underline as definition } from '@/lib/blocks/underline/underline.ts'
import { markBlock } from '../mark-block.ts'

export const underline = markBlock(definition, { keys: 'Mod+U', Icon: Underline })
