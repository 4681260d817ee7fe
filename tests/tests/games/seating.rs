//! Who plays and wins is a matter of seats, and never of the order in which players came.

use tests::views::{game, public};
use tests::{NewTable, Seat, Server, Table, v1};

use crate::plan::{Plan, drew};

/// Every order of four seats.
fn orders() -> Vec<[i32; 4]> {
    let all = (0..256).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6].map(|seat| seat + 1));
    all.filter(|order| (1..=4).all(|seat| order.contains(&seat))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_orders_of_joining_lead_to_the_same_trick() {
    let server = Server::memory().await;
    let client = server.platform().await;
    let plan = Plan::new(4, &["8h 7c Kd 8s"]);
    let orders = orders();
    assert_eq!(orders.len(), 24);
    for order in orders {
        let open = plan.deal(NewTable::classic()).with_open_seats().create(&client).await;
        let mut seats = Vec::new();
        for seat in order {
            let joined = client.join_table(open.join_request(seat, &format!("p{seat}"))).await.unwrap();
            seats.push(Seat::new(&client, &open.name, joined.seat_token.as_ref().unwrap()));
        }
        let table = Table { seats, ..open };
        let last = table.play(&["1:8h", "2:7c", "3:Kd", "4:8s"]).await;
        crate::plan::took(&last, &plan.tricks()[0]);
        let view = last.view.as_ref().unwrap();
        assert_eq!((public(view).turn_seat, game(view).leader_seat), (4, 4), "{order:?}");
        assert_eq!(drew(last.update.as_ref().unwrap()), [4, 1, 2, 3], "{order:?}");
        let sides: Vec<&[i32]> = game(view).sides.iter().map(|side| side.seats.as_slice()).collect();
        assert_eq!(sides, [[1, 3].as_slice(), &[2, 4]], "{order:?}");
        let named = |seat: &v1::SeatInfo| seat.player_id == format!("p{}", seat.seat);
        assert!(public(view).seats.iter().all(named), "{order:?}");
    }
    server.stop().await;
}
