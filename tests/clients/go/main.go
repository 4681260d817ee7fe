// Command sedmaclient says hello to a server: what it is, a table made and watched, a refusal read.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	sedmav1 "sedmaclient/gen/sedma/v1"
)

func main() {
	target := os.Getenv("SEDMA_TARGET")
	if target == "" {
		target = "localhost:50051"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	seen, err := hello(ctx, target)
	if err != nil {
		fmt.Fprintln(os.Stderr, "sedmaclient:", err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(seen); err != nil {
		os.Exit(1)
	}
}

func hello(ctx context.Context, target string) (map[string]any, error) {
	connection, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, err
	}
	defer connection.Close()

	server := sedmav1.NewServerServiceClient(connection)
	info, err := server.GetServerInfo(ctx, &sedmav1.GetServerInfoRequest{})
	if err != nil {
		return nil, err
	}

	tables := sedmav1.NewTableServiceClient(connection)
	rules := &sedmav1.GameRules{Game: &sedmav1.GameRules_Sedma{Sedma: &sedmav1.SedmaRules{Preset: "two"}}}
	created, err := tables.CreateTable(ctx, &sedmav1.CreateTableRequest{RequestId: uuid(), Rules: rules})
	if err != nil {
		return nil, err
	}
	name := created.GetView().GetTable().GetName()

	watch, err := tables.WatchTable(ctx, &sedmav1.WatchTableRequest{Name: name})
	if err != nil {
		return nil, err
	}
	first, err := watch.Recv()
	if err != nil {
		return nil, err
	}

	_, err = sedmav1.NewTrickServiceClient(connection).PlayCard(ctx, &sedmav1.PlayCardRequest{
		Name:             name,
		RequestId:        uuid(),
		ExpectedRevision: first.GetRevision(),
		Seat:             1,
		Card:             &sedmav1.Card{Rank: sedmav1.Rank_RANK_ACE, Suit: sedmav1.Suit_SUIT_HEARTS},
	})
	return map[string]any{
		"client":   "go",
		"version":  info.GetVersion(),
		"revision": first.GetRevision(),
		"seats":    len(first.GetSnapshot().GetTable().GetSeats()),
		"refusal":  refusal(err),
	}, nil
}

// refusal is the name of the reason for which the table refused an action, or "" if it did not.
func refusal(err error) string {
	for _, detail := range status.Convert(err).Details() {
		if refusal, ok := detail.(*sedmav1.Refusal); ok {
			return refusal.GetReason().String()
		}
	}
	return ""
}

// uuid draws a version 4 UUID.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}
