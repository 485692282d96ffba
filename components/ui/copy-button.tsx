import { Check, Copy } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { uiStrings } from '@/lib/strings/ui.ts'

interface CopyButtonProps extends ComponentProps<typeof Button> {
  readonly copied: boolean
  /** The label before copying. */
  readonly label?: string
}

export const CopyButton = ({ copied, label = uiStrings.copy.copy, ...rest }: CopyButtonProps) => (
  <Button {...rest}>
    {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
    {copied ? uiStrings.copy.copied : label}
  </Button>
)
