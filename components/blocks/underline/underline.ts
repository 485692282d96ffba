import { underline as definition } from '@/lib/blocks/underline/underline.ts'
import { markExtension } from '../mark-extension.ts'

export const underline = markExtension(definition, { keys: ['Mod-u', 'Mod-U'] })
