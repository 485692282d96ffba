import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'

interface RowActionProps extends Omit<ComponentProps<typeof Button>, 'look' | 'shape'> {
  readonly text: string
  /** With what it is about: a list has many of them. */
  readonly label: string
  readonly Icon: LucideIcon
}

/** What can be done with a row of a list: its word beside its picture. */
export const RowAction = ({ text, label, Icon, className = '', ...rest }: RowActionProps) => (
  <Button {...rest} look="quiet" shape="small" aria-label={label} className={`px-1.5! ${className}`}>
    <Icon size={14} aria-hidden /> {text}
  </Button>
)
