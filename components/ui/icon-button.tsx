'use client'

import type { LucideIcon } from 'lucide-react'
import { Hint } from './hint.tsx'

interface IconButtonProps {
  readonly name: string
  readonly Icon: LucideIcon
  /** For places where figures are close together. */
  readonly small?: boolean
  readonly onClick: () => void
}

/** A button with an icon. Pointing at it or focusing it shows its name. */
export const IconButton = ({ name, Icon, small = false, onClick }: IconButtonProps) => (
  <Hint text={name}>
    <button
      type="button"
      aria-label={name}
      onClick={onClick}
      className={`grid shrink-0 place-items-center text-muted hover:bg-sunk hover:text-ink ${small ? 'size-7 rounded-md' : 'size-8 rounded-lg'}`}
    >
      <Icon size={small ? 14 : 16} aria-hidden />
    </button>
  </Hint>
)
