//go:build portico_dev

package platform

func init() { ChecksResponses = true }
