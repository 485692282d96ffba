'use client'

import { Component, type ReactNode } from 'react'

interface GuardProps {
  readonly children: ReactNode
  /** Shown in place of what broke. */
  readonly broken: (error: unknown, retry: () => void) => ReactNode
}

/** Keeps what breaks inside it from taking the page along. A class, since React knows no function that does this. */
export class Guard extends Component<GuardProps, { readonly error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return this.props.broken(error, () => this.setState({ error: null }))
  }
}
