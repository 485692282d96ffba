'use client'

import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  readonly children: ReactNode
  /** Shown in place of what broke. */
  readonly renderError: (error: unknown, retry: () => void) => ReactNode
}

/** Keeps what breaks inside it from taking the page along. A class, since React knows no function that does this. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly error: unknown }> {
  override state = { error: null as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return this.props.renderError(error, () => this.setState({ error: null }))
  }
}
