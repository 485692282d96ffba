import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button.tsx'

interface RowActionProps extends Omit<ComponentProps<typeof Button>, 'look' | 'shape'> {
  readonly text: string
  /** Names the action and its object, because a list has many rows. */
  readonly label: string
  readonly Icon: LucideIcon
}

/** An action of a list row: an icon with a word. */
export const RowAction = ({ text, label, Icon, className = '', ...rest }: RowActionProps) => (
  <Button {...rest} look="quiet" shape="small" aria-label={label} className={`px-1.5! ${className}`}>
    <Icon size={14} aria-hidden /> {text}
  </Button>
)
