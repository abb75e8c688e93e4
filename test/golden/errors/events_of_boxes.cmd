zwang run events_of_boxes.zw --contacts events
