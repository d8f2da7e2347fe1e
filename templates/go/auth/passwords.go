package main

import (
	"fmt"
	"net/netip"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"

	"example.com/project/internal/platform"
)

const (
	maxAutomaticThreads = 4
	// A hash that no password matches, with the cost of new ones.
	dummyHash = "$2b$%d$KLld8GyikEuoQLbW7PdJtOO4xXnUHm0F8tt8LmUiHDk8D5L7DIRKe"
)

// hash returns the salted bcrypt hash.
func (p *Passwords) hash(password string) (string, error) {
	text, err := bcrypt.GenerateFromPassword([]byte(normalized(password)), p.cost)
	return string(text), err
}

// matches tells whether the password matches the hash, which may be of the password as it is written. Without a hash it
// returns false after the same time.
func (p *Passwords) matches(password, hash string) bool {
	isKnown := hash != ""
	if !isKnown {
		hash = fmt.Sprintf(dummyHash, p.cost)
	}
	if isHashOf(normalized(password), hash) {
		return isKnown
	}
	return normalized(password) != password && isHashOf(password, hash) && isKnown
}

func isHashOf(password, hash string) bool {
	return bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) == nil
}

// networkOf returns whom an address belongs to. For IPv6 that is a network of 64 bits, which one client has to itself.
// The limit of the gateway follows the same rule. What is not an address counts as one client.
func networkOf(address string) string {
	parsed, err := netip.ParseAddr(address)
	switch {
	case err != nil:
		return ""
	case parsed.Unmap().Is4():
		return parsed.Unmap().String()
	}
	network, _ := parsed.WithZone("").Prefix(64)
	return network.String()
}

// Passwords hashes a limited number of passwords at a time. Clients take turns, however many requests each of them has.
type Passwords struct {
	maxRunning, maxWaiting int
	timeout                time.Duration
	cost                   int

	mutex   sync.Mutex
	running int
	waiting int
	// Clients with waiting requests. The first one is next.
	queue []*client
}

type client struct {
	address string
	// Each gets whether it may run.
	waiting []chan bool
}

// NewPasswords creates the queue.
func NewPasswords(config Config) *Passwords {
	threads := config.PasswordThreads
	if threads == 0 {
		threads = min(maxAutomaticThreads, max(1, runtime.GOMAXPROCS(0)-1))
	}
	return &Passwords{
		maxRunning: threads,
		maxWaiting: config.PasswordQueue,
		timeout:    config.PasswordQueueTimeout,
		cost:       config.BcryptCost,
	}
}

// Hash returns the salted bcrypt hash.
func (p *Passwords) Hash(password string) (text string, err error) {
	err = p.InTurn("", func() (err error) {
		text, err = p.hash(password)
		return err
	})
	return text, err
}

// Matches tells whether the password matches the hash.
func (p *Passwords) Matches(password, hash string) (isMatch bool, err error) {
	err = p.InTurn("", func() error {
		isMatch = p.matches(password, hash)
		return nil
	})
	return isMatch, err
}

// InTurn runs work when it is the turn of the client with an IP address. Returns 503 if the queue is full or the turn is
// far away. A client that has fewer requests in it than another one replaces the last request of the other.
func (p *Passwords) InTurn(address string, work func() error) error {
	own := networkOf(address)
	if turn := p.enqueue(own); turn != nil && !p.wait(own, turn) {
		return platform.Unavailable("Auth")
	}
	defer p.startNext()
	return work()
}

// wait returns whether the request may run.
func (p *Passwords) wait(address string, turn chan bool) bool {
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	select {
	case mayRun := <-turn:
		return mayRun
	case <-timer.C:
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	own := p.clientOf(address)
	index := slices.Index(own.waiting, turn)
	if index < 0 {
		// Its turn has come meanwhile.
		return <-turn
	}
	own.waiting = slices.Delete(own.waiting, index, index+1)
	p.waiting--
	if len(own.waiting) == 0 {
		p.queue = slices.DeleteFunc(p.queue, func(each *client) bool { return each == own })
	}
	return false
}

// enqueue returns nil if the request may run at once.
func (p *Passwords) enqueue(address string) chan bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.running < p.maxRunning {
		p.running++
		return nil
	}
	turn := make(chan bool, 1)
	own := p.clientOf(address)
	if p.waiting >= p.maxWaiting && !p.displace(len(own.waiting)) {
		turn <- false
		return turn
	}
	p.waiting++
	if len(own.waiting) == 0 {
		p.queue = append(p.queue, own)
	}
	own.waiting = append(own.waiting, turn)
	return turn
}

func (p *Passwords) clientOf(address string) *client {
	for _, each := range p.queue {
		if each.address == address {
			return each
		}
	}
	return &client{address: address}
}

// displace rejects the last request of the client that has the most, if it has more than the given number.
func (p *Passwords) displace(count int) bool {
	var longest *client
	for _, each := range p.queue {
		if longest == nil || len(each.waiting) > len(longest.waiting) {
			longest = each
		}
	}
	if longest == nil || len(longest.waiting) <= count+1 {
		return false
	}
	last := len(longest.waiting) - 1
	longest.waiting[last] <- false
	longest.waiting = longest.waiting[:last]
	p.waiting--
	return true
}

// startNext gives the place of a request that has ended to the next one.
func (p *Passwords) startNext() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.queue) == 0 {
		p.running--
		return
	}
	next := p.queue[0]
	p.queue = p.queue[1:]
	p.waiting--
	next.waiting[0] <- true
	next.waiting = next.waiting[1:]
	if len(next.waiting) > 0 {
		p.queue = append(p.queue, next)
	}
}
